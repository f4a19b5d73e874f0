import type { PayerCandidate, ResolvePayer } from '@insurance-verification/schema';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../../api/api.ts';
import { Button } from '../../look/button.tsx';
import { Field, TextInput } from '../../look/field.tsx';
import layoutCss from '../../look/layout.module.css';
import { FailureNotice } from '../../look/notice.tsx';

interface PayerFinderProps {
  /** The name of the payer that the person chose. */
  readonly onChoose: (name: string) => void;
}

const PAUSE_MS = 300;

/** Finds the payer by what the patient's card says. It shows candidates with the reason; the person chooses. */
export function PayerFinder({ onChoose }: PayerFinderProps) {
  const [typed, setTyped] = useState('');
  const [card, setCard] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setCard(typed.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const { data, error } = useQuery({
    queryKey: ['payers', card],
    queryFn: () => api.payers.resolve.query(askedOf(card)),
    enabled: card !== '',
  });
  return (
    <Field
      label="What the card says (optional)"
      htmlFor="card"
      hint={
        <div role="status">
          {error && <FailureNotice error={error} />}
          {data?.items.length === 0 && (
            <p className={layoutCss.hint}>No payer here has this. Choose the plan.</p>
          )}
          {data?.items.map((candidate) => (
            <p key={candidate.payer_id} className={layoutCss.row}>
              <Button onClick={() => onChoose(candidate.name)}>{candidate.name}</Button>
              <span className={layoutCss.hint}>{whyOf(candidate)}</span>
            </p>
          ))}
        </div>
      }
    >
      <TextInput
        id="card"
        placeholder="Payer’s name, payer ID or phone"
        autoComplete="off"
        spellCheck={false}
        maxLength={80}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </Field>
  );
}

/** A card's text may be a name, an id or a number: it is compared with each that it can be. */
function askedOf(card: string): ResolvePayer {
  const digits = card.replace(/\D/g, '').length;
  return {
    text: card,
    ...(!/\s/.test(card) && { payer_id: card }),
    ...(digits >= 7 && card.length <= 40 && { phone: card }),
  };
}

/** Why a payer is a candidate, in words. */
function whyOf({ why, words }: PayerCandidate): string {
  const sentences: Record<PayerCandidate['why'][number], string> = {
    payer_id: 'has this payer ID',
    phone: 'has this phone number',
    payer_name: 'has this name',
    alias: 'is also called this',
    words: `has ${words.join(', ')} in its name`,
  };
  return why.map((one) => sentences[one]).join('; ');
}
