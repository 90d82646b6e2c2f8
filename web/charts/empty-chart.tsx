/** The placeholder of a chart without data, of the same size, which avoids layout shifts. */
export const EmptyChart = ({ says, tall, large }: { readonly says: string; readonly tall?: boolean; readonly large?: boolean }) => (
  <div class={`chart empty${tall ? ' tall' : ''}${large ? ' large' : ''}`}>
    <p class="nothing">{says}</p>
  </div>
);
