import {
  type ClusterAccount,
  CodedError,
  decodeBase64,
  hasCode,
  parseDecimal,
  type Ratio,
} from '@tidegate/core/base';
import { HISTORY_SLOTS } from '../../runtime/bank.ts';
import type { Controls } from '../cluster-controls.ts';
import { type AnswerFault, type FaultSettings, MAX_LAG_SLOTS, NO_FAULTS } from '../faults.ts';
import type { Json, JsonObject } from '../json.ts';
import {
  badParams,
  optional,
  readAddress,
  readArguments,
  readFlag,
  readList,
  readObject,
  readOneOf,
  readText,
  readWhole,
  required,
} from '../params.ts';
import { invalidParams } from '../rpc-errors.ts';
import type { Endpoint } from '../rpc-node.ts';

/** Ten years of slots at once are enough. */
const MAX_WARP_SLOTS = 788_940_000;

type Controlled = { readonly controls: Controls; readonly endpoint: Endpoint };

type ControlMethod = (controlled: Controlled, params: unknown) => Promise<Json>;

/** What only an embedded cluster can do. Changes land in a slot; the answer says in which. */
export const controlMethods: ReadonlyMap<string, ControlMethod> = new Map<string, ControlMethod>([
  ['tidegate_warp', warp],
  ['tidegate_setPrice', setPrice],
  ['tidegate_setAccount', setAccount],
  ['tidegate_airdropToken', airdropToken],
  ['tidegate_rollBack', rollBack],
  ['tidegate_freezeReserve', freezeReserve],
  ['tidegate_setFaults', setFaults],
  ['tidegate_dropWebSockets', dropWebSockets],
]);

/** `[{slots}]` or `[{seconds}]`: nothing happens meanwhile but the time. */
async function warp({ controls }: Controlled, params: unknown): Promise<Json> {
  const [given] = readArguments(params, { least: 1, most: 1 });
  const { slots, seconds } = readObject(given, 'an object with slots or seconds');
  if ((slots === undefined) === (seconds === undefined)) {
    throw badParams('expected slots or seconds');
  }
  const count =
    slots === undefined ? Math.ceil(readWhole(seconds, 'u64') * 2.5) : readWhole(slots, 'u64');
  if (count === 0 || count > MAX_WARP_SLOTS) {
    throw badParams(`expected 1 to ${MAX_WARP_SLOTS} slots`);
  }
  return landed(controls, await controls.warp(BigInt(count)));
}

/** `[reserve, price]`: USD for a whole token as text, kept until it is `null`. */
async function setPrice({ controls }: Controlled, params: unknown): Promise<Json> {
  const [key, given] = readArguments(params, { least: 2, most: 2 });
  const reserve = readAddress(key);
  const price = optional(given, readDecimal);
  return landed(controls, await refusing(() => controls.setPrice(reserve, price)));
}

/** `[address, {owner, lamports, data: [text, "base64"]}]`; `null` deletes it. */
async function setAccount({ controls }: Controlled, params: unknown): Promise<Json> {
  const [key, given] = readArguments(params, { least: 2, most: 2 });
  const address = readAddress(key);
  const account = optional(given, readAccount);
  return landed(controls, await controls.setAccount(address, account));
}

/** `[wallet, mint, amount]`: new tokens in smallest units as text, into the wallet's associated account. */
async function airdropToken({ controls }: Controlled, params: unknown): Promise<Json> {
  const [owner, token, given] = readArguments(params, { least: 3, most: 3 });
  const gift = { wallet: readAddress(owner), mint: readAddress(token), amount: readUnits(given) };
  return landed(controls, await refusing(() => controls.airdropToken(gift)));
}

/** `[slots]`: what happened in the last ones did not happen. */
async function rollBack({ controls }: Controlled, params: unknown): Promise<Json> {
  const [given] = readArguments(params, { least: 1, most: 1 });
  const slots = BigInt(readWhole(given, 'u64'));
  if (slots === 0n || slots > HISTORY_SLOTS) {
    throw badParams(`expected 1 to ${HISTORY_SLOTS} slots`);
  }
  return landed(controls, await refusing(() => controls.rollBack(slots)));
}

/** `[reserve, frozen]`: no keeper refreshes it. */
async function freezeReserve({ controls }: Controlled, params: unknown): Promise<Json> {
  const [key, frozen] = readArguments(params, { least: 2, most: 2 });
  controls.freezeReserve(readAddress(key), readFlag(frozen));
  return true;
}

/** `[faults]`, all of them at once; `[{}]` ends them. Control is never faulty. */
async function setFaults({ endpoint }: Controlled, params: unknown): Promise<Json> {
  const [given] = readArguments(params, { least: 1, most: 1 });
  endpoint.faults.set(readFaults(readObject(given, 'an object')));
  return true;
}

/** How many were open. */
async function dropWebSockets({ endpoint }: Controlled, params: unknown): Promise<Json> {
  readArguments(params, { least: 0, most: 0 });
  return endpoint.dropWebSockets();
}

function landed(controls: Controls, slot: Awaited<ReturnType<Controls['warp']>>): Json {
  return { slot, unixTimestamp: controls.timeOf(slot).unix };
}

function readFaults(given: JsonObject): FaultSettings {
  const known = Object.keys(NO_FAULTS);
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) throw badParams(`unknown field \`${unknown}\``);
  const count = (name: string) => optional(given[name], (value) => readWhole(value, 'usize'));
  const lagSlots = count('lagSlots') ?? 0;
  if (lagSlots > MAX_LAG_SLOTS) throw badParams(`a lag of at most ${MAX_LAG_SLOTS} slots`);
  return {
    lagSlots,
    delayMs: count('delayMs') ?? 0,
    times: count('times'),
    answer: optional(given['answer'], readAnswerFault),
    methods: (optional(given['methods'], readList) ?? []).map(readText),
    webSockets:
      optional(given['webSockets'], (value) => readOneOf(value, ['work', 'refuse', 'mute'])) ??
      'work',
  };
}

function readAnswerFault(value: unknown): AnswerFault {
  const given = readObject(value, 'an object');
  const kind = readOneOf(required(given, 'kind'), ['status', 'drop', 'truncate', 'wrongSlot']);
  switch (kind) {
    case 'status': {
      const status = readWhole(required(given, 'status'), 'usize');
      if (status < 400 || status > 599) throw badParams('a status from 400 to 599');
      return { kind, status };
    }
    case 'wrongSlot': {
      const by = required(given, 'by');
      if (!Number.isSafeInteger(by)) throw badParams('a whole number of slots');
      return { kind, by: Number(by) };
    }
    case 'drop':
    case 'truncate':
      return { kind };
  }
}

function readAccount(value: unknown): ClusterAccount {
  const given = readObject(value, 'an account');
  const lamports = readWhole(required(given, 'lamports'), 'u64');
  const [text, encoding] = readList(required(given, 'data'));
  readOneOf(encoding, ['base64']);
  const base64 = readText(text);
  try {
    const owner = readAddress(required(given, 'owner'));
    return { owner, lamports: BigInt(lamports), data: decodeBase64(base64, 'data') };
  } catch (error) {
    throw hasCode(error, 'MALFORMED_DATA') ? invalidParams(error.message) : error;
  }
}

function readUnits(value: unknown): bigint {
  const text = readText(value);
  if (!/^[1-9]\d{0,19}$/.test(text)) throw badParams('expected a whole amount as text, above zero');
  return BigInt(text);
}

function readDecimal(value: unknown): Ratio {
  try {
    return parseDecimal(readText(value));
  } catch (error) {
    throw hasCode(error, 'INVALID_DECIMAL') ? invalidParams(error.message) : error;
  }
}

/** What cannot be done with the accounts as they are is the caller's mistake. */
async function refusing<Value>(action: () => Promise<Value>): Promise<Value> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof CodedError) throw invalidParams(error.message);
    throw error;
  }
}
