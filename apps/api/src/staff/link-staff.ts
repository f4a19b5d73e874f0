import { StaffLink, StaffRef } from '@insurance-verification/schema';
import { EXAMPLE_IDS } from '../examples/ids.ts';
import { exampleLink } from '../examples/staff.ts';
import { mutation } from '../procedure/trpc.ts';
import { countLink, makeLink } from './make-link.ts';

/** Creates another link for a person who has none left, or sits at another machine. */
export const linkStaff = () =>
  mutation({
    meta: {
      operation: 'staff.link',
      openapi: {
        summary: 'Make a sign-in link',
        description:
          'Makes a link that signs the person in once, within 30 minutes; where an identity provider signs people in, it invites them for a week instead. Its secret is only in this answer; only a keyed hash is stored. Links made before keep their time.',
        tags: ['Access'],
      },
      changes: [],
      problems: ['not_found'],
      answers: { made: { staff_id: EXAMPLE_IDS.staff, link: exampleLink } },
    },
    input: StaffRef,
    output: StaffLink,
    handler: async ({ ctx, input: { staff_id } }) => {
      await countLink(ctx);
      return { staff_id, link: await makeLink(ctx, staff_id) };
    },
  });
