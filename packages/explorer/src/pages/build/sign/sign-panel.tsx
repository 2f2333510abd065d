import { useState } from 'preact/hooks';
import { Message, Panel } from '../../../components/panel.tsx';
import {
  type StandardWallet,
  signWithWallet,
  walletsFor,
} from '../../../wallets/wallet-standard.ts';
import type { Check } from '../check.ts';
import type { SentTransaction } from '../outcome/outcome.ts';
import { isSameMessage, signatureOf } from '../outcome/signed-transaction.ts';
import { signWithDemoWallet } from './demo-wallet.ts';
import { TransactionBytes } from './transaction-bytes.tsx';

/** A transaction that a wallet signed. */
export type Signed = SentTransaction & {
  /** As it was when the wallet was asked. */
  readonly check: Check;
  /** Base64. Undefined if it was sent. */
  readonly signed: string | undefined;
};

type SignPanelProps = {
  readonly check: Check;
  readonly wallet: string;
  /** The wallets’ name of the cluster; undefined if they have none. */
  readonly chain: string | undefined;
  /** Whether the server has keys of test wallets. */
  readonly hasDemoWallets: boolean;
  readonly isSent: boolean;
  readonly onSigned: (signed: Signed) => void;
};

/** The third step: a wallet signs, here or elsewhere. */
export function SignPanel(props: SignPanelProps) {
  const { check, isSent } = props;
  const fails = check.preview.error !== null;
  return (
    <Panel title="3 · Sign">
      {fails ? (
        <Message tone="warning">
          <p>
            <strong>Nothing to sign.</strong> The transaction would fail and cost its fee. Step 2
            says what would make it possible.
          </p>
        </Message>
      ) : (
        <SignButtons {...props} />
      )}
      {!isSent && (
        <details class="build-more" open={!fails && !props.hasDemoWallets}>
          <summary>Sign elsewhere: copy the unsigned transaction</summary>
          <TransactionBytes
            transaction={check.transaction}
            what="unsigned transaction"
            help="It expires about a minute after it was built; this page renews it."
          />
        </details>
      )}
    </Panel>
  );
}

type Result =
  | { readonly kind: 'sent'; readonly signature: string }
  | { readonly kind: 'signed'; readonly transaction: string }
  | { readonly kind: 'failed'; readonly reason: string };

type Signer = { readonly title: string; readonly sign: () => Promise<Result> };

function SignButtons(props: SignPanelProps) {
  const { check, onSigned } = props;
  const wallets = walletsFor(props.chain);
  const [busyWith, setBusyWith] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const run = async ({ title, sign }: Signer): Promise<void> => {
    setBusyWith(title);
    setFailure(undefined);
    const result = await sign();
    setBusyWith(undefined);
    if (result.kind === 'failed') setFailure(result.reason);
    // the page has built newer ones while the wallet was open
    else onSigned({ check, ...signedOf(result, check) });
  };
  return (
    <>
      <div class="button-row">
        {signersOf(props, wallets).map((signer, index) => (
          <button
            key={signer.title}
            type="button"
            class={`button${index === 0 ? ' primary' : ''}`}
            disabled={busyWith !== undefined || props.isSent}
            onClick={() => void run(signer)}
          >
            {busyWith === signer.title ? 'Waiting…' : signer.title}
          </button>
        ))}
      </div>
      <p class="weak small">{signHelp(props, wallets.length)}</p>
      {failure !== undefined && (
        <Message tone="danger" isLive>
          <p>
            <strong>Not sent.</strong> {failure}
          </p>
        </Message>
      )}
    </>
  );
}

function signedOf(
  result: Exclude<Result, { readonly kind: 'failed' }>,
  { transaction, preview }: Check,
): Omit<Signed, 'check'> {
  const { lastValidBlockHeight } = preview.expiry;
  if (result.kind === 'sent') {
    return { signature: result.signature, lastValidBlockHeight, signed: undefined };
  }
  const { transaction: signed } = result;
  const isSame = isSameMessage(signed, transaction);
  return {
    signature: signatureOf(signed),
    lastValidBlockHeight: isSame ? lastValidBlockHeight : undefined,
    signed,
  };
}

/** The demo wallet, if the server has it, and the wallets of this browser. */
function signersOf(
  { check: { transaction }, wallet, chain = '', hasDemoWallets }: SignPanelProps,
  wallets: readonly StandardWallet[],
): Signer[] {
  const demo: Signer = {
    title: 'Sign with the demo wallet',
    sign: () => signWithDemoWallet(wallet, transaction),
  };
  const others = wallets.map((each) => ({
    title: `Sign with ${each.name}`,
    sign: () => signWithWallet(each, { address: wallet, transaction, chain }),
  }));
  return hasDemoWallets ? [demo, ...others] : others;
}

function signHelp({ hasDemoWallets, chain }: SignPanelProps, wallets: number): string {
  const own = hasDemoWallets
    ? 'The server has the keys of the test wallets of its embedded cluster; none is in this page.'
    : 'The server signs and sends nothing.';
  return wallets > 0 || chain === undefined
    ? own
    : `${own} No wallet of this browser signs for ${chain}.`;
}
