import type { ApiError, DecodedTransaction, Preview } from '@tidegate/client';
import { useEffect, useState } from 'preact/hooks';
import { isRejection } from '../../api/failure.ts';
import { received } from '../../api/freshness.ts';
import type { Resource } from '../../api/resource.ts';
import { request as requestApi, server } from '../../api/server.ts';
import type { builderRequest } from './actions.ts';
import { type Holder, readHolding, type VaultHolding } from './vault-position.ts';

/** A built transaction with what it would do now. */
export type Check = {
  /** Base64, unsigned. */
  readonly transaction: string;
  readonly preview: Preview;
  /** Undefined if it cannot be decoded. */
  readonly decoded: DecodedTransaction | undefined;
  /** The wallet’s position before a vault transaction; undefined if it cannot be read. */
  readonly holding: VaultHolding | undefined;
};

/** A transaction expires after about a minute; before that it is built again, with fresh figures. */
const REFRESH_MS = 20_000;

type BuilderRequest = ReturnType<typeof builderRequest>;

type CheckState = Omit<Resource<Check>, 'reload'> & { readonly key: string };

const NOTHING: CheckState = { key: '', data: undefined, freshness: [], error: undefined };

/**
 * Builds and decodes a transaction, again and again until it is signed. Requests nothing while `request` is undefined, and
 * nothing more while it is frozen: the figures from before the transaction stay.
 */
export function useCheck(request: BuilderRequest | undefined, isFrozen: boolean): Resource<Check> {
  const key = JSON.stringify(request) ?? '';
  const [state, setState] = useState(NOTHING);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (request === undefined || isFrozen) return undefined;
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const load = async (): Promise<void> => {
      const next = document.hidden ? undefined : await requestCheck(request, abort.signal);
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
  signal: AbortSignal,
): Promise<Omit<CheckState, 'key'>> {
  const built = await requestApi(request, { signal });
  if (!built.ok) return { data: undefined, freshness: [], error: built.error };
  const { transaction, preview } = built.data;
  const freshness = [received(built.freshness)];
  if (preview === undefined) return { data: undefined, freshness, error: NO_PREVIEW };
  const holder = holderOf(request);
  const [decoded, holding] = await Promise.all([
    decode(transaction, signal),
    holder && readHolding(holder, signal),
  ]);
  return { data: { transaction, preview, decoded, holding }, freshness, error: undefined };
}

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
