import { useMutation, useQueryClient } from '@tanstack/react-query';
import { forgetAccount, leaveDemoDay, showsDemoDay } from '../api/acts-for.ts';
import { api } from '../api/api.ts';
import { Button } from '../look/button.tsx';
import { Notice } from '../look/notice.tsx';

/** The button that deletes the demo day, and leads back to one's own account. */
export function ClearDemoDay() {
  const queries = useQueryClient();
  const clear = useMutation({
    mutationFn: async () => {
      forgetAccount(); // a read for the deleted account would get a 404
      await queries.cancelQueries();
      return api.demo.clearDay.mutate();
    },
    onSuccess: leaveDemoDay,
  });
  return (
    <Button disabled={clear.isPending} onClick={() => clear.mutate()}>
      Delete the demo day
    </Button>
  );
}

/** A banner while the tab shows the demo day. */
export function DemoBanner() {
  if (!showsDemoDay()) return null;
  return (
    <Notice tone="good" action={<ClearDemoDay />}>
      A demo day: three invented clinics, and no payer is asked.
    </Notice>
  );
}
