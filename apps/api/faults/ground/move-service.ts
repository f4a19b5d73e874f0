import { readFileSync } from 'node:fs';
import { moveProcess } from '@insurance-verification/testing/move-process';

// Loaded before the service (`node --import`): its time is as far ahead as the file says, in milliseconds.
const moved = moveProcess();
let movedMs = 0;

function follow(): void {
  const wantedMs = Number(readFileSync(process.env['MOVED_TIME_FILE'] ?? '', 'utf8'));
  moved.by(wantedMs - movedMs);
  movedMs = wantedMs;
}

follow();
setInterval(follow, 10).unref();
