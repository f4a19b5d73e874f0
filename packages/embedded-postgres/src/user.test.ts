import { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { chooseServerUser } from './user.ts';

let folder: string;
beforeAll(() => void (folder = mkdtempSync(path.join(os.tmpdir(), 'users-'))));

const noCluster = () => path.join(folder, 'cluster');

function chooseAsRoot(passwd: string) {
  const passwdFile = path.join(folder, 'passwd');
  writeFileSync(passwdFile, passwd);
  return chooseServerUser({ clusterDir: noCluster(), ownUid: 0, passwdFile });
}

const ROOT = 'root:x:0:0:root:/root:/bin/sh\n';
const NODE = 'node:x:1000:1001::/home/node:/bin/sh\n';
const NOBODY = 'nobody:x:65534:65533:nobody:/nonexistent:/usr/sbin/nologin\n';
const POSTGRES = 'postgres:x:101:104::/var/lib/postgresql:/bin/sh\n';

// Without it the first start in a container, as root, would fail.
test.each([
  ['postgres where it exists', ROOT + NODE + NOBODY + POSTGRES, { uid: 101, gid: 104 }],
  ['nobody where postgres does not', ROOT + NODE + NOBODY, { uid: 65534, gid: 65533 }],
  ['any other user where there is neither', ROOT + NODE, { uid: 1000, gid: 1001 }],
  [
    'the nobody of macOS',
    '##\nnobody:*:-2:-2:Unprivileged User:/:/usr/bin/false\n',
    { uid: 4294967294, gid: 4294967294 },
  ],
])('root runs the server as %s', (_, passwd, chosen) => {
  expect(chooseAsRoot(passwd)).toEqual(chosen);
});

// Without it the only message would be PostgreSQL's own refusal to run as root.
test('root without any other user is asked to add one', () => {
  expect(() => chooseAsRoot(ROOT)).toThrow(/useradd.*DATABASE_URL/s);
});

// Without it one start as root would take the database away from its owner.
test('root leaves a cluster to the user who owns it', () => {
  const { uid, gid } = statSync(folder);
  const chosen = chooseServerUser({ clusterDir: folder, ownUid: 0 });
  if (uid === 0) expect(chosen?.uid).toBeGreaterThan(0);
  else expect(chosen).toEqual({ uid, gid });
});

// Without it PostgreSQL would say "wrong ownership" and leave the reader to find out which.
test("another user's cluster is refused with both uids", () => {
  const { uid } = statSync(folder);
  const stranger = uid + 4242;
  expect(() => chooseServerUser({ clusterDir: folder, ownUid: stranger })).toThrow(
    new RegExp(`uid ${uid},.*uid ${stranger}`, 's'),
  );
});

test('an ordinary user runs its own server', () => {
  expect(chooseServerUser({ clusterDir: noCluster(), ownUid: 1000 })).toBeNull();
});
