import type { Address } from '#core/base/encoding/address.ts';
import type { ClusterAccount, Commitment } from '#core/base/solana/cluster-account.ts';
import { RpcNode, type RpcNodeOptions } from '#localnet/rpc/rpc-node.ts';
import type { BankView } from '#localnet/runtime/bank.ts';
import type { GeneratedAccounts } from './generated-accounts.ts';

/** A node whose reads by address also find the generated accounts. */
export class MainnetNode extends RpcNode {
  readonly generated: GeneratedAccounts;

  constructor(options: RpcNodeOptions & { readonly generated: GeneratedAccounts }) {
    super(options);
    this.generated = options.generated;
  }

  override view(commitment: Commitment): BankView {
    const view = super.view(commitment);
    const account = (address: Address) => view.account(address) ?? this.#generatedAt(address, view);
    return { ...view, account };
  }

  #generatedAt(address: Address, { time }: BankView): ClusterAccount | undefined {
    const number = this.generated.numberOf(address);
    return number === undefined ? undefined : this.generated.at(number, time.slot);
  }
}
