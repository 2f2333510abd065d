import type { Address } from '../../../base/encoding/address.ts';
import type { RawInstruction } from '../../../base/solana/instruction.ts';
import type { AnyDecodedInstruction } from '../../../base/solana/instruction-set.ts';

/** How descriptions name accounts and amounts. */
export type DescriptionContext = {
  /** The fee payer, from whose perspective the transaction is described. */
  readonly wallet: Address;
  /** The label, or else the address. */
  name(address: Address): string;
  /** `12.5 USDC`, or the number of smallest units for an unknown token. */
  tokens(amount: bigint, mint: Address | undefined): string;
  /** `USDC`, or the mint's address. */
  unit(mint: Address | undefined): string;
  /** The mint of a token account, if known. */
  mintOf(account: Address): Address | undefined;
  ownerOf(account: Address): Address | undefined;
  /** The staked token of a farm. */
  stakedMint(farm: Address): Address | undefined;
  /** Whether the address is the wallet or one of its token accounts. */
  isOwn(address: Address): boolean;
};

/** A warning that a wallet should show before signing. */
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

/** A decoded instruction with its description. */
export type DescribedInstruction = AnyDecodedInstruction & {
  /** The list after the arguments, by name, or what its bytes mean. */
  readonly values: Readonly<Record<string, unknown>>;
  /** A sentence without the full stop. */
  describe(context: DescriptionContext): string;
  alerts(context: DescriptionContext): readonly Alert[];
  /** Accounts that receive funds and should belong to the wallet. */
  readonly receivers: readonly Address[];
  /** Accounts whose type and owner should be known. */
  readonly notable: readonly Address[];
};

/** An instruction codec with a description. */
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

type DescriptionOptions<Call extends AnyDecodedInstruction> = {
  readonly receives?: readonly AccountName<Call>[];
  readonly notes?: readonly AccountName<Call>[];
  readonly listName?: string;
  /** What the bytes of the list mean. */
  readonly values?: (call: Call) => Readonly<Record<string, unknown>>;
  readonly alerts?: (call: Call, context: DescriptionContext) => readonly Alert[];
};

export function withDescription<Call extends AnyDecodedInstruction>(
  codec: CodecOf<Call>,
  describe: (call: Call, context: DescriptionContext) => string,
  {
    receives = [],
    notes = [],
    listName = 'list',
    values = ({ list }) => (list === undefined ? {} : { [listName]: list }),
    alerts = () => [],
  }: DescriptionOptions<Call> = {},
): DescribedCodec {
  return {
    name: codec.name,
    discriminator: codec.discriminator,
    decode(program, found) {
      const call = codec.decode(program, found);
      const accountsNamed = (names: readonly AccountName<Call>[]) =>
        names.flatMap((name) => call.accounts[name] ?? []);
      const receivers = accountsNamed(receives);
      return {
        ...call,
        values: values(call),
        describe: (context) => describe(call, context),
        alerts: (context) => alerts(call, context),
        receivers,
        notable: [...receivers, ...accountsNamed(notes)],
      };
    },
  };
}
