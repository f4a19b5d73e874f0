import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The root of the repository. */
export const root = fileURLToPath(new URL('../../../../', import.meta.url));

const folder = new URL('../../deploy/', import.meta.url);

export const deployFile = (name: string): string => fileURLToPath(new URL(name, folder));

export const deployText = (name: string): string => readFileSync(deployFile(name), 'utf8');

/** The manifests, without the list that names them. */
export const manifestNames: readonly string[] = readdirSync(deployFile('kubernetes')).filter(
  (name) => name !== 'kustomization.yaml',
);

/** The Containerfile's RUN commands. */
export const containerCommands: readonly string[] = [
  ...deployText('Containerfile').matchAll(/^RUN (.+)$/gm),
].map(([, command = '']) => command);

const line = (name: string, pattern: RegExp): string => pattern.exec(deployText(name))?.[1] ?? '';

/** What starts the service in the image and in the unit, for /bin/sh. */
export const startCommands = {
  image: (JSON.parse(line('Containerfile', /^CMD (.+)$/m)) as string[])[2] ?? '',
  unit: line('insurance-verification@.service', /^ExecStart=\/bin\/sh -c '(.+)'$/m).replaceAll(
    '$$',
    () => '$',
  ),
};
