import { useMutation } from '@tanstack/react-query';
import { failureOf } from '../../api/failure.ts';
import { useKeyOf, useKeys } from '../../keys/use-keys.ts';
import { Button } from '../../look/button/button.tsx';
import { Notice } from '../../look/state/notice.tsx';
import { Time } from '../../look/time/time.tsx';
import css from '../work.module.css';
import { adoptLeft, keepThis, leaveIt, takeNewer } from './draft-choice.ts';
import type { Keeping } from './keeping.ts';

interface DraftNoticesProps {
  readonly requestId: string;
  readonly keeping: Keeping;
  readonly isLost: boolean;
  /** Whether the form has text that the other draft would replace. */
  readonly isTyped: boolean;
}

/** Asks which of two drafts to continue with. */
export function DraftNotices({ requestId, keeping: { newer, left }, isLost, isTyped }: DraftNoticesProps) {
  const adopt = useMutation({ mutationFn: () => adoptLeft(requestId) });
  const mayAdopt = left !== null && !isLost && newer === null;
  const keyOf = useKeyOf();
  useKeys(mayAdopt ? { accept: () => adopt.mutate(), decline: () => leaveIt(requestId) } : {});
  if (newer)
    return (
      <Notice
        tone="warn"
        action={
          <span className={css.ways}>
            <Button onClick={() => takeNewer(requestId)}>Use the saved one</Button>
            <Button onClick={() => void keepThis(requestId)}>Keep this one</Button>
          </span>
        }
      >
        You saved another draft about this request in another tab, at <Time at={newer.saved_at} />. What is
        typed here is not saved until you choose.
      </Notice>
    );
  if (!mayAdopt) return null;
  return (
    <Notice
      tone="warn"
      action={
        <span className={css.ways}>
          <Button shortcut={keyOf('accept')} disabled={adopt.isPending} onClick={() => adopt.mutate()}>
            Use it
          </Button>
          <Button shortcut={keyOf('decline')} onClick={() => leaveIt(requestId)}>
            Start anew
          </Button>
        </span>
      }
    >
      {adopt.error ? (
        failureOf(adopt.error).sentence
      ) : (
        <>
          {left.written_by_name ?? 'Somebody else'} left a draft at <Time at={left.saved_at} />.{' '}
          {isTyped ? 'Using it replaces what you typed.' : 'Use it, or begin with an empty form.'}
        </>
      )}
    </Notice>
  );
}
