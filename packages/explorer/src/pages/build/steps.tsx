export type StepName = 'what' | 'check' | 'sign';

const steps: readonly { readonly name: StepName; readonly title: string }[] = [
  { name: 'what', title: 'What' },
  { name: 'check', title: 'Check' },
  { name: 'sign', title: 'Sign' },
];

/** Where the reader is. */
export const Steps = ({ current }: { readonly current: StepName }) => (
  <ol class="steps" aria-label="Steps">
    {steps.map(({ name, title }, index) => (
      <li key={name} aria-current={name === current ? 'step' : undefined}>
        <span class="step-number">{index + 1}</span> {title}
      </li>
    ))}
  </ol>
);
