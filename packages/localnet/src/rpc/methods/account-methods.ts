import type { Address } from '@tidegate/core/base';
import { readAccountFilters } from '../account-filters.ts';
import {
  encodeAccount,
  encodeKeyedAccount,
  readAccountEncoding,
} from '../encoding/account-encoding.ts';
import type { Json } from '../json.ts';
import {
  readAddress,
  readArguments,
  readArray,
  readBoolean,
  readConfigParam,
  readOptional,
} from '../params.ts';
import { bankViewFor, withContext } from '../request-context.ts';
import { invalidParams } from '../rpc-errors.ts';
import type { RpcNode } from '../rpc-node.ts';

const MAX_ADDRESSES = 100;

export function getAccountInfo(endpoint: RpcNode, params: unknown): Json {
  const [key, options] = readArguments(params, { least: 1, most: 2 });
  const config = readConfigParam(options, 'RpcAccountInfoConfig');
  const address = readAddress(key);
  const form = readAccountEncoding(config, 'binary');
  const view = bankViewFor(endpoint, config);
  const account = view.account(address);
  return withContext(view, account ? encodeAccount({ address, account }, form, view) : null);
}

export function getMultipleAccounts(endpoint: RpcNode, params: unknown): Json {
  const [keys, options] = readArguments(params, { least: 1, most: 2 });
  const given = readArray(keys);
  const config = readConfigParam(options, 'RpcAccountInfoConfig');
  if (given.length > MAX_ADDRESSES) {
    throw invalidParams(`Too many inputs provided; max ${MAX_ADDRESSES}`);
  }
  const addresses = given.map(readAddress);
  const form = readAccountEncoding(config, 'base64');
  const view = bankViewFor(endpoint, config);
  const encoded = addresses.map((address: Address): Json => {
    const account = view.account(address);
    return account === undefined ? null : encodeAccount({ address, account }, form, view);
  });
  return withContext(view, encoded);
}

export function getProgramAccounts(endpoint: RpcNode, params: unknown): Json {
  const [key, options] = readArguments(params, { least: 1, most: 2 });
  const config = readConfigParam(options, 'RpcProgramAccountsConfig');
  const program = readAddress(key);
  const form = readAccountEncoding(config, 'binary');
  const accepts = readAccountFilters(config);
  const hasContext = readOptional(config['withContext'], readBoolean) ?? false;
  const view = bankViewFor(endpoint, config);
  const found: Json[] = [];
  for (const named of view.accountsOf(program)) {
    if (accepts(named.account)) found.push(encodeKeyedAccount(named, form, view));
  }
  return hasContext ? withContext(view, found) : found;
}

export function getBalance(endpoint: RpcNode, params: unknown): Json {
  const [key, options] = readArguments(params, { least: 1, most: 2 });
  const config = readConfigParam(options, 'RpcContextConfig');
  const address = readAddress(key);
  const view = bankViewFor(endpoint, config);
  return withContext(view, view.account(address)?.lamports ?? 0n);
}
