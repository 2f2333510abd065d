import type { ComponentChildren } from 'preact';
import { useUniqueId } from './unique-id.ts';
import './field.css';

/** Attributes that connect a control with its label, its help and its problem. */
type ControlAttributes = {
  readonly id: string;
  readonly 'aria-describedby': string;
  readonly 'aria-invalid': boolean;
};

type FieldProps = {
  readonly label: string;
  /** Under the control, unless there is a problem. */
  readonly help?: ComponentChildren;
  /** What is wrong, and how to fix it. */
  readonly problem?: string | undefined;
  /** At the right of the label. */
  readonly actions?: ComponentChildren;
  readonly children: (attributes: ControlAttributes) => ComponentChildren;
};

/** A control of a form with its label. The line under it is always there, so that nothing moves. */
export function Field({ label, help, problem, actions, children }: FieldProps) {
  const id = useUniqueId();
  const note = `${id}-note`;
  return (
    <div class="field">
      <div class="field-label">
        <label for={id}>{label}</label>
        {actions}
      </div>
      {children({ id, 'aria-describedby': note, 'aria-invalid': problem !== undefined })}
      <p class={`field-note${problem === undefined ? '' : ' problem'}`} id={note}>
        {problem ?? help}
      </p>
    </div>
  );
}
