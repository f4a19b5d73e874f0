import { TestMark } from '../look/test-mark.tsx';
import { useMe } from './use-me.ts';

/** Next to what is of the account that the person acts for, or of its kind: `test` where that is a test account. */
export function OwnTestMark() {
  return <TestMark mode={useMe().data?.session?.account_mode} />;
}
