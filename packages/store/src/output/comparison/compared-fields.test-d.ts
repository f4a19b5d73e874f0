import type { AskedMember, ResponseModel, ResultMember } from '@insurance-verification/schema';
import { expectTypeOf } from 'vitest';
import { COMPARED_FIELDS, type ComparedField, type FieldPath } from './compared-fields.ts';
import type { MemberOf, ResultMemberOf } from './held-differences.ts';

// Broke: eight fields of a coverage were compared, and a result that differed in a ninth "says the same".
expectTypeOf<keyof typeof COMPARED_FIELDS>().toEqualTypeOf<FieldPath<ResponseModel>>();

const { '/insurance_data/*/notes': _, ...allButTheNotes } = COMPARED_FIELDS;
// @ts-expect-error a field without a row does not compile
allButTheNotes satisfies Record<FieldPath<ResponseModel>, ComparedField>;

interface Grown extends ResponseModel {
  readonly copays: readonly { readonly amount: number; readonly isWaived?: boolean | null }[];
}
expectTypeOf<Exclude<FieldPath<Grown>, FieldPath<ResponseModel>>>().toEqualTypeOf<
  '/copays/*/amount' | '/copays/*/isWaived'
>();

// Without it a list of held outputs would name a member that the document does not know.
expectTypeOf<MemberOf<keyof typeof COMPARED_FIELDS>>().toEqualTypeOf<AskedMember>();

// What each result has of its own is never a difference.
expectTypeOf<ResultMemberOf<keyof typeof COMPARED_FIELDS>>().toEqualTypeOf<
  ResultMember | 'verification_time' | 'uuid'
>();
