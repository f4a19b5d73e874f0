import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { RedeliverDialog } from '../deliveries/redeliver-dialog.tsx';
import { Button } from '../look/button/button.tsx';
import { useMe } from '../session/use-me.ts';

interface RedeliverGivenUpProps {
  readonly host: string;
  /** How many of its deliveries were given up; at least one. */
  readonly count: number;
  /** Of its button, where the page has a smaller one. */
  readonly className?: string | undefined;
  /** Called with a sentence once they are sent again. */
  readonly onSent: (sentence: string) => void;
}

/**
 * Sends what a host lost again, from a dialog that counts it first. What to send is filled in: all that was given up. For
 * those who may not, the number only.
 */
export function RedeliverGivenUp({ host, count, className, onSent }: RedeliverGivenUpProps) {
  const { data: me } = useMe();
  const queries = useQueryClient();
  const [isAsked, setIsAsked] = useState(false);
  if (!me?.scopes.includes('operate')) return <>{countOf(count)}</>;
  return (
    <>
      <Button className={className} onClick={() => setIsAsked(true)}>
        {count === 1 ? 'Deliver this one again' : `Deliver these ${countOf(count)} again`}
      </Button>
      {isAsked && (
        <RedeliverDialog
          filters={{ host, status: 'exhausted' }}
          onClose={(sent) => {
            setIsAsked(false);
            if (sent === null) return;
            onSent(`${sent === 1 ? '1 delivery is' : `${sent} deliveries are`} on the way again.`);
            void queries.invalidateQueries({ queryKey: ['receivers.list'] });
          }}
        />
      )}
    </>
  );
}

const countOf = (count: number): string => (count === 10_000 ? '10,000 or more' : String(count));
