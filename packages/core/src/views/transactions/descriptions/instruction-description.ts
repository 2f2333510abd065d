import type { Address } from '../../../base/encoding/address.ts';
import type { RawInstruction } from '../../../base/solana/instruction.ts';
import type { AnyDecodedInstruction } from '../../../base/solana/instruction-set.ts';

/** How sentences name the things of a transaction. */
export type DescriptionContext = {
  /** Who pays the fee, and whose eyes the transaction is seen with. */
  readonly wallet: Address;
  /** What people call it, else the address. */
  name(address: Address): string;
  /** `12.5 USDC`, or the number of smallest units where the token is not known. */
  tokens(amount: bigint, mint: Address | undefined): string;
  /** `USDC`, or the token's address. */
  unit(mint: Address | undefined): string;
  /** Of a token account, as far as it is known. */
  mintOf(account: Address): Address | undefined;
  ownerOf(account: Address): Address | undefined;
  /** What is staked in a farm. */
  stakedMint(farm: Address): Address | undefined;
  /** The wallet, or a token account of its own. */
  isOwn(address: Address): boolean;
};

/** What a wallet should warn of before it signs. */
export type Alert = { readonly kind: AlertKind; readonly message: string };

type AlertKind =
  | 'UNKNOWN_PROGRAM'
  | 'UNKNOWN_INSTRUCTION'
  | 'OTHER_SIGNER'
  | 'SENDS_TOKENS'
  | 'SENDS_SOL'
  | 'PAYS_OTHERS'
  | 'ALLOWS_SPENDING'
  | 'CHANGES_AUTHORITY'
  | 'DESTROYS_TOKENS'
  | 'HIGH_FEE'
  | 'NEVER_EXPIRES'
  | 'TOO_LARGE'
  | 'CLOSING_TABLE';

/** An instruction as it was found, with what there is to say about it. */
export type DescribedInstruction = AnyDecodedInstruction & {
  /** What the list behind the arguments is called. */
  readonly listName: string;
  /** A sentence without its full stop. */
  say(words: DescriptionContext): string;
  alerts(words: DescriptionContext): readonly Alert[];
  /** Gets what should be the wallet's own. */
  readonly receivers: readonly Address[];
  /** Accounts of which somebody should know what and whose they are. */
  readonly notable: readonly Address[];
};

/** An instruction that can be told in words. */
export type DescribedCodec = {
  readonly name: string;
  readonly discriminator: Uint8Array;
  decode(program: Address, found: RawInstruction): DescribedInstruction;
};

type CodecOf<Call extends AnyDecodedInstruction> = {
  readonly name: string;
  readonly discriminator: Uint8Array;
  decode(program: Address, found: RawInstruction): Call;
};

type AccountName<Call extends AnyDecodedInstruction> = keyof Call['accounts'] & string;

type Marks<Call extends AnyDecodedInstruction> = {
  readonly receives?: readonly AccountName<Call>[];
  readonly notes?: readonly AccountName<Call>[];
  readonly listName?: string;
  readonly alerts?: (call: Call, words: DescriptionContext) => readonly Alert[];
};

export function withDescription<Call extends AnyDecodedInstruction>(
  codec: CodecOf<Call>,
  say: (call: Call, words: DescriptionContext) => string,
  { receives = [], notes = [], listName = 'list', alerts = () => [] }: Marks<Call> = {},
): DescribedCodec {
  return {
    name: codec.name,
    discriminator: codec.discriminator,
    decode(program, found) {
      const call = codec.decode(program, found);
      const named = (names: readonly AccountName<Call>[]) =>
        names.flatMap((name) => call.accounts[name] ?? []);
      const receivers = named(receives);
      return {
        ...call,
        listName,
        say: (words) => say(call, words),
        alerts: (words) => alerts(call, words),
        receivers,
        notable: [...receivers, ...named(notes)],
      };
    },
  };
}
