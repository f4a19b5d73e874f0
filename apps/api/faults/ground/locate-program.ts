import { existsSync } from 'node:fs';
import { join } from 'node:path';

const places = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin', '/usr/local/sbin'];

/** The path of a program that the machine may have; undefined where it has none. */
export const locateProgram = (name: string): string | undefined =>
  places.map((place) => join(place, name)).find(existsSync);
