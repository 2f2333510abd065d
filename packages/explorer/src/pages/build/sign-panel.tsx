import { useState } from 'preact/hooks';
import { CopyButton } from '../../components/copy-button.tsx';
import { Field } from '../../components/field.tsx';
import { Message, Panel } from '../../components/panel.tsx';
import { Toggle } from '../../components/toggle.tsx';
import { hrefOf } from '../../routing/location.ts';
import type { Check } from './check.ts';
import { signWithDemoWallet } from './demo-wallet.ts';
import { QrCode } from './qr-code.tsx';
import { type StandardWallet, signWithWallet, useWallets } from './wallet-standard.ts';

/** A transaction that was sent. The slot is known if the server sent it. */
export type Sent = { readonly signature: string; readonly slot: string | undefined };

type SignPanelProps = {
  readonly check: Check;
  readonly wallet: string;
  /** The wallets’ name of the cluster; undefined if they have none. */
  readonly chain: string | undefined;
  /** Whether the server has keys of test wallets. */
  readonly hasDemoWallets: boolean;
  readonly isSent: boolean;
  readonly onSent: (sent: Sent) => void;
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
          <TransactionBytes transaction={check.transaction} what="unsigned transaction" />
        </details>
      )}
    </Panel>
  );
}

type Outcome =
  | { readonly kind: 'signed'; readonly transaction: string }
  | { readonly kind: 'failed'; readonly reason: string };

type Signer = {
  readonly title: string;
  readonly sign: () => Promise<Outcome | ({ readonly kind: 'sent' } & Sent)>;
};

function SignButtons(props: SignPanelProps) {
  const wallets = useWallets(props.chain);
  const [busyWith, setBusyWith] = useState<string>();
  const [outcome, setOutcome] = useState<Outcome>();
  const run = async ({ title, sign }: Signer): Promise<void> => {
    setBusyWith(title);
    setOutcome(undefined);
    const result = await sign();
    setBusyWith(undefined);
    if (result.kind === 'sent') props.onSent(result);
    else setOutcome(result);
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
      {outcome?.kind === 'failed' && (
        <Message tone="danger" isLive>
          <p>
            <strong>Not sent.</strong> {outcome.reason}
          </p>
        </Message>
      )}
      {outcome?.kind === 'signed' && (
        <TransactionBytes transaction={outcome.transaction} what="signed transaction" />
      )}
    </>
  );
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
    sign: async () => {
      const request = { address: wallet, transaction, chain };
      const result = await signWithWallet(each, request);
      return result.kind === 'sent' ? { ...result, slot: undefined } : result;
    },
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

type BytesProps = { readonly transaction: string; readonly what: string };

/** The transaction as text and as a QR code. */
function TransactionBytes({ transaction, what }: BytesProps) {
  const [hasCode, setHasCode] = useState(false);
  return (
    <div class="build-bytes">
      <Field
        label={`The ${what} in base64`}
        help="It expires about a minute after it was built; this page renews it."
        actions={<CopyButton text={transaction} what={what} />}
      >
        {(attributes) => (
          <textarea {...attributes} class="bytes" rows={4} readOnly value={transaction} />
        )}
      </Field>
      <div class="button-row">
        <Toggle label="QR code" isOn={hasCode} onChange={setHasCode} />
        <a
          href={hrefOf(`/decode?transaction=${encodeURIComponent(transaction)}`)}
          data-page="decode"
        >
          Open in Decode
        </a>
      </div>
      {hasCode && <QrCode text={transaction} label={`QR code of the ${what}`} />}
    </div>
  );
}
