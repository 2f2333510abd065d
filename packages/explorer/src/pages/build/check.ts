import type { ApiError, DecodedTransaction, Preview, ResponseOf } from '@tidegate/client';
import { useEffect, useState } from 'preact/hooks';
import { isRejection } from '../../api/failure.ts';
import { received } from '../../api/freshness.ts';
import type { Resource } from '../../api/resource.ts';
import { request as requestApi, server } from '../../api/server.ts';
import {
  type Budget,
  budgetOf,
  type FeeChoice,
  type FeeOffer,
  readFeeOffer,
} from './priority-fee.ts';
import type { BuilderRequest } from './request/builder-request.ts';
import { type Holder, readHolding, type VaultHolding } from './vault-position.ts';

/** A built transaction with what it would do now. */
export type Check = {
  /** Base64, unsigned. */
  readonly transaction: string;
  readonly preview: Preview;
  /** Of the transactions that follow it in a plan. */
  readonly following: readonly Preview[];
  /** Undefined if it cannot be decoded. */
  readonly decoded: DecodedTransaction | undefined;
  /** The wallet’s position before a vault transaction; undefined if it cannot be read. */
  readonly holding: VaultHolding | undefined;
  /** What a priority fee would cost; undefined if no prices are known. */
  readonly feeOffer: FeeOffer | undefined;
  /** Why the chosen fee cannot be set: the transaction has none. */
  readonly feeProblem: string | undefined;
};

/** A transaction expires after about a minute; before that it is built again, with fresh figures. */
const REFRESH_MS = 20_000;

type BuiltTransaction = ResponseOf<BuilderRequest['operation']>;

type CheckOptions = {
  readonly fee: FeeChoice;
  /** Nothing more is requested. */
  readonly isFrozen: boolean;
  /** Another one forgets the transaction that was built, which may have been sent. */
  readonly round: number;
};

type CheckState = Omit<Resource<Check>, 'reload'> & { readonly key: string };

const NOTHING: CheckState = { key: '', data: undefined, freshness: [], error: undefined };

/**
 * Builds and decodes a transaction, again and again until it is signed. Requests nothing while `request` is undefined, and
 * nothing more while it is frozen: the figures from before the transaction stay.
 */
export function useCheck(
  request: BuilderRequest | undefined,
  { fee, isFrozen, round }: CheckOptions,
): Resource<Check> {
  const key = request === undefined ? '' : JSON.stringify([request, fee, round]);
  const [state, setState] = useState(NOTHING);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (request === undefined || isFrozen) return undefined;
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const load = async (): Promise<void> => {
      const next = document.hidden ? undefined : await requestCheck(request, fee, abort.signal);
      if (abort.signal.aborted) return;
      if (next !== undefined) setState((previous) => merge(previous, { key, ...next }));
      if (!isRejected(next?.error)) timer = setTimeout(() => void load(), REFRESH_MS);
    };
    void load();
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
    // the key has all of the request
  }, [key, isFrozen, attempt]);
  const { data, freshness, error } = state.key === key ? state : NOTHING;
  return { data, freshness, error, reload: () => setAttempt(attempt + 1) };
}

/** Data stays when a refresh fails for another reason than a rejection. */
function merge(previous: CheckState, next: CheckState): CheckState {
  if (next.data !== undefined || isRejected(next.error)) return next;
  if (previous.key !== next.key) return next;
  return { ...previous, error: next.error };
}

async function requestCheck(
  request: BuilderRequest,
  fee: FeeChoice,
  signal: AbortSignal,
): Promise<Omit<CheckState, 'key'>> {
  const unpriced = await requestBuild(request, signal);
  if (!unpriced.ok) return { data: undefined, freshness: [], error: unpriced.error };
  const feeOffer = await offerFor(unpriced.data, signal);
  const budget = budgetOf(feeOffer, fee);
  const priced = budget && (await requestBuild(withBudget(request, budget), signal));
  // such as one that is too large with the instructions of a budget
  const feeProblem = priced?.ok === false ? priced.error.message : undefined;
  const built = priced?.ok ? priced : unpriced;
  const [first, ...rest] = 'transactions' in built.data ? built.data.transactions : [built.data];
  const freshness = [received(built.freshness)];
  if (first?.preview === undefined) return { data: undefined, freshness, error: NO_PREVIEW };
  const { transaction, preview } = first;
  const following = rest.flatMap((each) => each.preview ?? []);
  const holder = holderOf(request);
  const [decoded, holding] = await Promise.all([
    decode(transaction, signal),
    holder && readHolding(holder, signal),
  ]);
  const data = { transaction, preview, following, decoded, holding, feeOffer, feeProblem };
  return { data, freshness, error: undefined };
}

const requestBuild = (request: BuilderRequest, signal: AbortSignal) =>
  requestApi<BuilderRequest['operation']>(request, { signal });

/**
 * A transaction that fails, or whose compute units are not known, gets no priority fee, and neither do those of a plan: a
 * limit would split it into more transactions.
 */
async function offerFor(
  built: BuiltTransaction,
  signal: AbortSignal,
): Promise<FeeOffer | undefined> {
  if ('transactions' in built) return undefined;
  const { transaction, preview } = built;
  if (preview?.success !== true || preview.computeUnits === null) return undefined;
  return readFeeOffer(transaction, preview.computeUnits, signal);
}

const withBudget = ({ operation, parameters }: BuilderRequest, budget: Budget): BuilderRequest =>
  ({
    operation,
    parameters: { ...parameters, body: { ...parameters.body, ...budget } },
  }) as BuilderRequest;

const NO_PREVIEW: ApiError = {
  kind: 'malformed',
  code: 'MALFORMED_RESPONSE',
  message: 'The builder returned no preview.',
};

const isRejected = (error: ApiError | undefined): boolean =>
  error !== undefined && isRejection(error);

/** Of a vault transaction. */
function holderOf({ operation, parameters: { body } }: BuilderRequest): Holder | undefined {
  if (!operation.startsWith('POST /ktx/kvault/') || body === undefined) return undefined;
  return 'kvault' in body && body.kvault !== undefined
    ? { wallet: body.wallet, vault: body.kvault }
    : undefined;
}

/** A transaction that cannot be decoded is still shown with its preview. */
async function decode(
  transaction: string,
  signal: AbortSignal,
): Promise<DecodedTransaction | undefined> {
  const decoded = await server.post('/ktx/decode', { body: { transaction }, signal });
  return decoded.ok ? decoded.data : undefined;
}
