import { useLocation } from 'wouter';
import { useKeyOf, useKeys } from '../keys/use-keys.ts';
import { Button } from '../look/button/button.tsx';
import { Notice } from '../look/state/notice.tsx';
import { Unseen } from '../look/unseen.tsx';
import { deskState } from './desk/desk.ts';
import { giveBack } from './desk/give-up.ts';
import { undo, UNDO_MS } from './desk/hand-in.ts';
import { useDesk } from './desk/use-desk.ts';
import { useNow } from './use-now.ts';
import css from './work.module.css';

/** The result that was just submitted: for five seconds with an undo button, then its outcome. */
export function Outgoing({ here }: { readonly here?: string }) {
  const { leaving, told } = useDesk();
  const [, go] = useLocation();
  const takeBack = () => {
    const requestId = undo();
    if (requestId === null || requestId === here) return;
    // The one that was taken meanwhile has nothing typed: others may have it.
    if (here !== undefined && deskState().jobs[here]) void giveBack(here);
    go(`/work/${requestId}`);
  };
  const keyOf = useKeyOf();
  useKeys({ undo: leaving ? takeBack : undefined });
  return (
    <div className={css.outgoing}>
      {leaving && (
        <Notice
          tone="good"
          action={
            <Button shortcut={keyOf('undo')} onClick={takeBack}>
              Undo
            </Button>
          }
        >
          <Countdown until={leaving.sendsAt} />
        </Notice>
      )}
      {!leaving && told && (
        <Notice
          tone={told.tone}
          action={
            told.tone === 'bad' &&
            told.requestId !== here && <Button onClick={() => go(`/work/${told.requestId}`)}>Open it</Button>
          }
        >
          {told.sentence}
        </Notice>
      )}
    </div>
  );
}

function Countdown({ until }: { readonly until: number }) {
  useNow();
  const seconds = Math.min(UNDO_MS / 1_000, Math.max(0, Math.ceil((until - Date.now()) / 1_000)));
  return (
    <>
      The result is sent <span aria-hidden="true">in {seconds} s</span>
      <Unseen>in five seconds</Unseen>.
    </>
  );
}
