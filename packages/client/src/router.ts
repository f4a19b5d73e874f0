import type { PayerNames } from '@insurance-verification/schema';
import type { inferRouterInputs, inferRouterOutputs, TRPCBuiltRouter } from '@trpc/server';
import type { AccessProcedures } from './router/access.ts';
import type { DeliveryProcedures } from './router/delivery.ts';
import type { IntakeProcedures } from './router/intake.ts';
import type { OutputProcedures } from './router/output.ts';
import type { TrpcErrorShape } from './router/procedure.ts';
import type { ReportsProcedures } from './router/reports.ts';
import type { StaffProcedures } from './router/staff.ts';
import type { VerificationProcedures } from './router/verification.ts';

interface RootTypes {
  ctx: object;
  meta: object;
  errorShape: TrpcErrorShape;
  transformer: false;
}

interface Procedures<P extends PayerNames>
  extends
    IntakeProcedures<P>,
    VerificationProcedures<P>,
    OutputProcedures<P>,
    DeliveryProcedures,
    AccessProcedures,
    StaffProcedures,
    ReportsProcedures {}

/**
 * The service's tRPC router as a type, for any tRPC client (`createTRPCClient<AppRouter>`, the React adapter). It is
 * written out here so that no code of the service comes with it; the service's type tests prove that it equals the
 * actual router.
 *
 * `P` are the payer names; by default a payer is any string, since a service's payers are configured at its start.
 */
export type AppRouter<P extends PayerNames = PayerNames> = TRPCBuiltRouter<
  RootTypes,
  Pick<Procedures<P>, keyof Procedures<P>> // tRPC takes no interface
>;

/** The input of each operation: `RouterInputs['requests']['create']`. Fields with a default are optional. */
export type RouterInputs<P extends PayerNames = PayerNames> = inferRouterInputs<AppRouter<P>>;

/** The output of each operation: `RouterOutputs['requests']['create']`. */
export type RouterOutputs<P extends PayerNames = PayerNames> = inferRouterOutputs<AppRouter<P>>;
