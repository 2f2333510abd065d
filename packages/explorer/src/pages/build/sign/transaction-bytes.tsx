import { useState } from 'preact/hooks';
import { CopyButton } from '../../../components/copy-button.tsx';
import { Field } from '../../../components/field.tsx';
import { Toggle } from '../../../components/toggle.tsx';
import { hrefOf } from '../../../routing/location.ts';
import { QrCode } from './qr-code.tsx';

type BytesProps = {
  /** Base64. */
  readonly transaction: string;
  readonly what: string;
  readonly help: string;
};

/** The transaction as text and as a QR code. */
export function TransactionBytes({ transaction, what, help }: BytesProps) {
  const [hasCode, setHasCode] = useState(false);
  return (
    <div class="build-bytes">
      <Field
        label={`The ${what} in base64`}
        help={help}
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
