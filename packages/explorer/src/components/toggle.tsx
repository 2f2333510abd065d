import './toggle.css';

type ToggleProps = {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
};

export const Toggle = ({ label, isOn, onChange }: ToggleProps) => (
  <button
    type="button"
    class="toggle"
    role="switch"
    aria-checked={isOn}
    onClick={() => onChange(!isOn)}
  >
    <span class="toggle-track" aria-hidden="true" />
    {label}
  </button>
);
