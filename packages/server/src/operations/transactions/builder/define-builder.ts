import type { Static, TSchema } from 'typebox';
import type { DataDependency } from '../../../clusters/data-versions.ts';
import { defineOperation } from '../../../http/operation.ts';
import { LOAN_DEPENDENCIES, VAULT_DEPENDENCIES } from '../../../support/pricing/dependencies.ts';
import type { OperationPlugin } from '../../operation-context.ts';
import type { BuilderAction, BuilderRequest } from './builder-action.ts';
import { builderHandlers } from './builder-handlers.ts';
import {
  BuilderQuery,
  type ComputeBudgetFields,
  InstructionBundle,
  PlanQuery,
  UnsignedTransaction,
  UnsignedTransactions,
} from './builder-schemas.ts';
import { EXPIRY_HEADERS } from './expiry-headers.ts';
import type { PlanOperation } from './plan-handler.ts';

type BuilderDefinition<Body extends TSchema, Request extends BuilderRequest> = {
  /** Part of the operation ids: `build${name}Tx` and `build${name}Ixs`. */
  readonly name: string;
  readonly path: string;
  /** An infinitive without `to`. */
  readonly purpose: string;
  readonly description: string;
  readonly body: Body;
  readonly action: BuilderAction<Static<Body> & ComputeBudgetFields, Request>;
};

/** A response is valid for one wallet and a short time. */
const shared = {
  tag: 'builders',
  errorFormat: 'builder',
  weight: 5,
  statuses: [400],
  headers: ['cache-control', 'no-store'],
} as const;

/** What transactions for the program in the path are computed from. */
function computedFromOf(path: string): readonly DataDependency[] {
  if (path.startsWith('/ktx/farms/')) return ['farm', 'farmUser', 'farmsConfig'];
  if (path.startsWith('/ktx/kvault/')) return [...VAULT_DEPENDENCIES, 'farmUser', 'shares'];
  return [...LOAN_DEPENDENCIES, 'farm', 'farmUser'];
}

const GUIDE = 'Guide: `/docs/guide/builders`.';

/** Compiling a serializer for the large schemas of each route would double the start time of the server. */
const serializerCompiler = () => JSON.stringify;

/** Defines both operations of a builder: the unsigned transaction and its instructions. */
export function defineBuilder<Body extends TSchema, Request extends BuilderRequest>(
  definition: BuilderDefinition<Body, Request>,
): { readonly transaction: OperationPlugin; readonly instructions: OperationPlugin } {
  const { name, path, purpose, description, body: Body, action } = definition;
  return {
    transaction: (context) => async (app) => {
      const handlers = builderHandlers(context);
      const operation = {
        ...shared,
        computedFrom: computedFromOf(path),
        operationId: `build${name}Tx`,
        summary: `Unsigned transaction to ${purpose}`,
        responseHeaders: EXPIRY_HEADERS,
        description: `${description} A version 0 transaction with a recent blockhash; nothing is signed or sent. Fails with TRANSACTION_SIZE_ERROR above 1232 bytes. ${GUIDE}`,
      };
      const schemas = { querystring: BuilderQuery, body: Body, response: UnsignedTransaction };
      app.post(
        path,
        { ...defineOperation(operation, schemas), serializerCompiler },
        async ({ body, query }, reply) =>
          handlers.transaction(action, { body: body as RequestBody<Body>, query, reply }),
      );
    },
    instructions: (context) => async (app) => {
      const handlers = builderHandlers(context);
      const operation = {
        ...shared,
        computedFrom: computedFromOf(path),
        operationId: `build${name}Ixs`,
        summary: `Instructions to ${purpose}`,
        description: `${description} The instructions of the transaction and the lookup tables that make it smaller, to combine with other instructions. ${GUIDE}`,
      };
      const schemas = { querystring: BuilderQuery, body: Body, response: InstructionBundle };
      app.post(
        `${path}-instructions`,
        { ...defineOperation(operation, schemas), serializerCompiler },
        async ({ body, query }, reply) =>
          handlers.instructions(action, { body: body as RequestBody<Body>, query, reply }),
      );
    },
  };
}

type PlanDefinition<Body extends TSchema, Request extends BuilderRequest> = Omit<
  BuilderDefinition<Body, Request>,
  'action'
> & { readonly action: PlanOperation<Static<Body> & ComputeBudgetFields, Request> };

/** Plans need several times the work of one build. */
const PLAN_WEIGHT = 15;

/** Defines the operation of a plan: several transactions in order. */
export function definePlan<Body extends TSchema, Request extends BuilderRequest>(
  definition: PlanDefinition<Body, Request>,
): OperationPlugin {
  const { name, path, purpose, description, body: Body, action } = definition;
  return (context) => async (app) => {
    const handlers = builderHandlers(context);
    const operation = {
      ...shared,
      computedFrom: computedFromOf(path),
      weight: PLAN_WEIGHT,
      operationId: `plan${name}`,
      summary: `Unsigned transactions to ${purpose}`,
      responseHeaders: EXPIRY_HEADERS,
      description: `${description} As many version 0 transactions as it takes, with one recent blockhash; nothing is signed or sent. The first preview is simulated by the cluster, the others are computed on the state after the transactions before them. Refused with PLAN_UNFUNDED if the wallet lacks tokens or SOL, and with PLAN_REJECTED if the programs reject a step for another reason. ${GUIDE}`,
    };
    const schemas = { querystring: PlanQuery, body: Body, response: UnsignedTransactions };
    app.post(
      path,
      { ...defineOperation(operation, schemas), serializerCompiler },
      async ({ body, query }, reply) =>
        handlers.plan(action, { body: body as RequestBody<Body>, query, reply }),
    );
  };
}

type RequestBody<Body extends TSchema> = Static<Body> & ComputeBudgetFields;
