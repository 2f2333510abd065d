import { Icon } from './icon.tsx';

/** Something that the reader should know or change. */
export const Notice = ({ text }: { readonly text: string }) => (
  <p class="notice warning">
    <Icon name="warning" /> {text}
  </p>
);
