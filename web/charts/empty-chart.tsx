/** The place of a chart that has nothing to draw yet, as large as the chart will be: nothing jumps when it comes. */
export const EmptyChart = ({ says, tall, large }: { readonly says: string; readonly tall?: boolean; readonly large?: boolean }) => (
  <div class={`chart empty${tall ? ' tall' : ''}${large ? ' large' : ''}`}>
    <p class="nothing">{says}</p>
  </div>
);
