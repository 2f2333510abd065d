import { useUniqueId } from './unique-id.ts';
import './tabs.css';

type TabsProps<Value extends string> = {
  readonly label: string;
  readonly tabs: readonly { readonly value: Value; readonly title: string }[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
};

/** A choice of one of several views. Arrow keys move between them. */
export function Tabs<Value extends string>({ label, tabs, value, onChange }: TabsProps<Value>) {
  const name = useUniqueId();
  return (
    <fieldset class="tabs">
      <legend class="visually-hidden">{label}</legend>
      {tabs.map((tab) => (
        <label key={tab.value}>
          <input
            type="radio"
            class="visually-hidden"
            name={name}
            checked={tab.value === value}
            onChange={() => onChange(tab.value)}
          />
          {tab.title}
        </label>
      ))}
    </fieldset>
  );
}
