import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { toAddress } from '#core/base/encoding/address.ts';
import type { RawAccount } from '#core/base/solana/account.ts';

const folder = new URL('../../../../shared/fixtures/mainnet/', import.meta.url);

/** Recorded mainnet data lies beside the checkout on the developers' machines, nowhere else. */
export const hasMainnetFixtures = existsSync(folder);

export type MainnetAccount = RawAccount & { readonly file: string; readonly kind: string };

/** Every recorded account; `kind` is like `klend-Reserve`. Empty where the folder is absent. */
export function mainnetAccounts(): MainnetAccount[] {
  if (!hasMainnetFixtures) return [];
  const accounts = new URL('accounts/', folder);
  return readdirSync(accounts).flatMap((kind) =>
    readdirSync(new URL(`${kind}/`, accounts)).map((name) => {
      const file = `${kind}/${name}`;
      const { owner, dataBase64 } = readJson(`accounts/${file}`) as {
        owner: string;
        dataBase64: string;
      };
      const data = Uint8Array.from(Buffer.from(dataBase64, 'base64'));
      return { kind, file, owner: toAddress(owner), data };
    }),
  );
}

/** A file of the folder, unzipped if need be. */
export function readMainnet(path: string): unknown {
  return readJson(path);
}

function readJson(path: string): unknown {
  const bytes = readFileSync(new URL(path, folder));
  return JSON.parse((path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8'));
}
