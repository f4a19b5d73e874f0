import type { PayerNames, Schemas } from '@insurance-verification/schema';
import type * as z from 'zod';

// The models with payers as plain strings: which four there are is configuration, and a stored request may name a
// payer that the configuration has dropped since.
type OpenSchemas = Schemas<PayerNames>;
export type RequestInfo = z.infer<OpenSchemas['RequestInfo']>;
export type RequestModel = z.infer<OpenSchemas['RequestModel']>;
export type ResponseModel = z.infer<OpenSchemas['ResponseModel']>;
export type InsurancePlanData = z.infer<OpenSchemas['InsurancePlanData']>;
