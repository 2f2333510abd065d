import { setImmediate as nextTurn } from 'node:timers/promises';
import type { KeyedAccount } from '@tidegate/core/base';
import { formatJson, formattedJson, type Json } from './json.ts';
import { responseTooLarge } from './rpc-errors.ts';

/** Characters of one response, with all calls of a batch. */
export const MAX_RESPONSE_LENGTH = 64 * 1024 * 1024;

/** Work of one turn in bytes of account data: a few milliseconds in the slowest encoding. */
const TURN_BYTES = 128 * 1024;
/** What an account costs without its data. */
const ACCOUNT_BYTES = 512;

/**
 * Formats a list of accounts over several turns of the event loop, so that slots close and other requests are answered
 * meanwhile. The accounts are those of one slot, however long it takes. Throws if the text gets too long.
 */
export async function formatInTurns(
  accounts: readonly KeyedAccount[],
  encode: (account: KeyedAccount) => Json,
): Promise<Json> {
  const texts: string[] = [];
  let length = 0;
  let bytes = 0;
  for (const keyedAccount of accounts) {
    const text = formatJson(encode(keyedAccount));
    texts.push(text);
    length += text.length + 1;
    if (length > MAX_RESPONSE_LENGTH) throw responseTooLarge();
    bytes += keyedAccount.account.data.length + ACCOUNT_BYTES;
    if (bytes < TURN_BYTES) continue;
    bytes = 0;
    await nextTurn();
  }
  return formattedJson(`[${texts.join()}]`);
}
