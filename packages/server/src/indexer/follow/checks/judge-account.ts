import type { Address, ClusterAccount, Slot } from '@tidegate/core/base';
import type { EndpointWitness } from '../../../chain/source/endpoint-witness.ts';
import { type AccountClaim, claimsOf, isContradiction, judgeClaims } from './account-claims.ts';
import { type AccountReading, type EndpointReadings, isSameAccount } from './endpoint-readings.ts';

/** What a stream has sent of an account, and the slots for which state claims to have everything. */
export type StreamedContent = {
  readonly holds: (account: ClusterAccount | undefined) => boolean;
  readonly from: Slot;
  readonly to: Slot;
};

/**
 * - `confirmed`: two witnesses returned the same account, or the only endpoint did so again some slots later.
 * - `disputed`: endpoints contradict each other, and no other witness decides.
 * - `unknown`: it changed too often.
 */
export type JudgedAccount = AccountReading & {
  readonly address: Address;
  readonly verdict: 'confirmed' | 'disputed' | 'unknown';
  /** Names of the endpoints that returned something else than a majority of the witnesses. */
  readonly wrong: ReadonlySet<string>;
};

export const STREAM = 'the stream';

type EndpointClaims = {
  readonly endpoint: EndpointWitness;
  readonly claims: readonly AccountClaim[];
  readonly last: AccountReading;
};

/** Decides by majority what an account is. Endpoints that were set aside are judged, but do not vote. */
export function judgeAccount(
  address: Address,
  readings: EndpointReadings,
  stream: StreamedContent | undefined,
): JudgedAccount {
  const values: (ClusterAccount | undefined)[] = [];
  const all = [...readings].flatMap(([endpoint, ofEndpoint]) =>
    endpointClaims(endpoint, ofEndpoint.get(address) ?? [], values),
  );
  const streamed = stream === undefined ? [] : [streamClaim(stream, values)];
  const voters = all.filter(({ endpoint }) => !endpoint.isSetAside);
  const votes = [...voters.flatMap(({ claims }) => claims), ...streamed];
  const { outvoted, disputed } = judgeClaims(votes);
  const believed = votes.filter(({ witness }) => !outvoted.has(witness));
  const contradicts = ({ claims }: EndpointClaims) =>
    claims.some((claim) => believed.some((other) => isContradiction(claim, other)));
  const onTrial = all.filter(({ endpoint }) => endpoint.isSetAside);
  const wrong = new Set([
    ...voters.map(({ endpoint }) => endpoint.name).filter((name) => outvoted.has(name)),
    ...onTrial.filter(contradicts).map(({ endpoint }) => endpoint.name),
  ]);
  const right = voters.filter(({ endpoint }) => !wrong.has(endpoint.name));
  const [newest] = right.map(({ last }) => last).toSorted((a, b) => Number(b.slot - a.slot));
  const found = { address, slot: newest?.slot ?? lowest(all), account: newest?.account, wrong };
  const names = voters.filter(({ endpoint }) => disputed.has(endpoint.name));
  if (names.length > 1) return { ...found, verdict: 'disputed' };
  const isAgreed =
    newest !== undefined && right.every(({ last }) => isSameAccount(last.account, newest.account));
  const isConfirmed = isAgreed && (right.length > 1 || isRepeated(right[0], streamed));
  return { ...found, verdict: isConfirmed ? 'confirmed' : 'unknown' };
}

function endpointClaims(
  endpoint: EndpointWitness,
  readings: readonly AccountReading[],
  values: (ClusterAccount | undefined)[],
): EndpointClaims[] {
  const valued = readings.map(({ slot, account }) => ({ slot, value: numberOf(account, values) }));
  const last = readings.at(-1);
  return last === undefined ? [] : [{ endpoint, claims: claimsOf(endpoint.name, valued), last }];
}

/** The number of the account among those that were read. */
function numberOf(
  account: ClusterAccount | undefined,
  values: (ClusterAccount | undefined)[],
): number {
  const known = values.findIndex((each) => isSameAccount(each, account));
  return known >= 0 ? known : values.push(account) - 1;
}

function streamClaim(
  { holds, from, to }: StreamedContent,
  values: readonly (ClusterAccount | undefined)[],
): AccountClaim {
  const known = values.findIndex(holds);
  return { witness: STREAM, value: known >= 0 ? known : values.length, from, to };
}

/** Whether a single endpoint returned the account more than once, or the stream has sent the same. */
function isRepeated(only: EndpointClaims | undefined, streamed: readonly AccountClaim[]): boolean {
  const last = only?.claims.at(-1);
  if (last === undefined) return false;
  return last.from < last.to || streamed.some(({ value }) => value === last.value);
}

const lowest = (all: readonly EndpointClaims[]): Slot => all[0]?.last.slot ?? (0n as Slot);
