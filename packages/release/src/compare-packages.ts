import type { ExportFact, PackageFact } from './read-exports.ts';
import type { Breach, Rule } from './rules.ts';

/** Every place in which a program that imports the package before breaks with the one of now. */
export function comparePackages(name: string, before: PackageFact, now: PackageFact): Breach[] {
  const breaches: Breach[] = [];
  const breach = (rule: Rule, path: string, what: string) =>
    void breaches.push({ rule, path: `${name} ${path}`.trim(), what });
  for (const [entry, names] of Object.entries(before.entryPoints)) {
    const still = now.entryPoints[entry];
    if (!still) breach('entry-point-removed', entry, 'it is gone');
    else for (const [one, was] of Object.entries(names)) compareExport(one, was, still[one], breach);
  }
  for (const file of before.files)
    if (!now.files.includes(file)) breach('entry-point-removed', file, 'it is gone');
  if (leastOf(now.node) > leastOf(before.node))
    breach('node-raised', 'engines', `${before.node}, now ${now.node}`);
  for (const [peer, range] of Object.entries(now.peers)) {
    const was = before.peers[peer];
    if (was === undefined) breach('peer-raised', peer, `none, now ${range}`);
    else if (leastOf(range) > leastOf(was)) breach('peer-raised', peer, `${was}, now ${range}`);
  }
  return breaches;
}

function compareExport(
  name: string,
  was: ExportFact,
  is: ExportFact | undefined,
  breach: (rule: Rule, path: string, what: string) => void,
): void {
  if (!is) return breach('export-removed', name, 'it is gone or renamed');
  const gone = was.kinds.filter((kind) => !is.kinds.includes(kind));
  if (gone.length > 0) breach('export-changed', name, `no longer a ${gone.join(' and a ')}`);
  if (was.parameters && is.parameters) {
    if (is.parameters.length < was.parameters.length)
      breach('argument-removed', name, `${was.parameters.length} parameters, now ${is.parameters.length}`);
    for (const [index, { name: argument, optional }] of is.parameters.entries())
      if (!optional && (was.parameters[index]?.optional ?? true)) breach('argument-required', name, argument);
  }
  for (const member of was.members ?? []) {
    const same = is.members?.find((one) => one.name === member.name);
    if (is.members && !same) breach('member-removed', `${name}.${member.name}`, 'it is gone or renamed');
    else if (same?.optional && !member.optional && !is.isInput)
      breach('member-removed', `${name}.${member.name}`, 'always there, now optional');
  }
  for (const { name: member, optional } of is.isInput ? (is.members ?? []) : [])
    if (!optional && was.members?.find((one) => one.name === member)?.optional !== false)
      breach('member-required', `${name}.${member}`, 'must be given');
}

/** The least version of a range such as `>=20.19` or `^4.5.0`, as a number that can be compared. */
function leastOf(range: string): number {
  const [, major = '0', minor = '0', patch = '0'] = /(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(range) ?? [];
  return Number(major) * 1e8 + Number(minor) * 1e4 + Number(patch);
}
