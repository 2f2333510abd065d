/** Instead of the columns that only the tab has in which the transaction was signed. */
export const NothingKnownBefore = () => (
  <p class="weak">
    The figures from before and the expected ones are known only in the tab in which the transaction
    was signed. The page of the transaction has the changes of balances.
  </p>
);
