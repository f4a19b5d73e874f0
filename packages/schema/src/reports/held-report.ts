import * as z from 'zod';
import { list } from '../field/list.ts';
import { wholeNumber } from '../field/whole-number.ts';
import { model } from '../model.ts';
import { HeldReason } from '../output/held-reason.ts';
import { reportHeadFields, stepField } from './report-range.ts';

/** What happened to held outputs in one step. */
export const HeldInStep = model('HeldInStep', 'What happened to held outputs in one step of a report.', {
  at: stepField(),
  held_count: wholeNumber().meta({ description: 'Outputs that were held.' }),
  applied_count: wholeNumber().meta({ description: 'Held outputs that an operator applied.' }),
  dismissed_count: wholeNumber().meta({ description: 'Held outputs that an operator dismissed.' }),
});
/** {@link HeldInStep} as a type. */
export type HeldInStep = z.infer<typeof HeldInStep>;

/** What is held now for one reason. */
export const HeldNow = model('HeldNow', 'What is held now for one reason.', {
  reason: HeldReason.meta({ description: 'Why it is held.' }),
  open_count: wholeNumber().meta({ description: 'Outputs that wait for an operator, of all accounts.' }),
  oldest_seconds: z
    .number()
    .nullable()
    .meta({ description: 'How long the oldest of them has waited; null when none does.' }),
});
/** {@link HeldNow} as a type. */
export type HeldNow = z.infer<typeof HeldNow>;

/** Held outputs over a time, and now (`reports.held`). */
export const HeldReport = model('HeldReport', 'Held outputs over a time, and what is held now.', {
  ...reportHeadFields(),
  open: list(HeldNow).meta({ description: 'What is held now, by reason.' }),
  items: list(HeldInStep).meta({ description: 'Every step, the earliest first, also those without any.' }),
});
/** {@link HeldReport} as a type. */
export type HeldReport = z.infer<typeof HeldReport>;
