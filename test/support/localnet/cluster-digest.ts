import { createHash } from 'node:crypto';
import type { LocalCluster } from '#localnet/cluster/cluster.ts';

/** Hash of all signatures in order, and of every account by address: owner, lamports and data. */
export function clusterDigest({
  bank,
  transactions,
}: Pick<LocalCluster, 'bank' | 'transactions'>): string {
  const hash = createHash('sha256');
  for (const slot of transactions.ledger.slots()) {
    for (const { signature } of transactions.ledger.inSlot(slot)) hash.update(`${signature}\n`);
  }
  const accounts = [...bank.accounts()].sort((a, b) => (a.address < b.address ? -1 : 1));
  for (const { address, account } of accounts) {
    const { owner, lamports, data } = account;
    hash.update(`${address} ${owner} ${lamports} ${data.length}\n`).update(data);
  }
  return hash.digest('hex');
}
