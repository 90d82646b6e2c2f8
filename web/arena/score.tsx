import type { Score } from '#lab/arena/server/film.ts';

/** What a bot has earned, rule by rule. */
export function ScoreTable({ score }: { readonly score: Score }) {
  return (
    <section class="score" aria-label="Score">
      <h2>
        Score <b>{Math.round(score.points)}</b> of 100
      </h2>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">rule</th>
              <th scope="col">chances</th>
              <th scope="col">breaches</th>
              <th scope="col">points</th>
            </tr>
          </thead>
          <tbody>
            {score.rows.map(({ rule, title, chances, breaches, points, of, first }) => (
              <tr key={rule} class={points === null ? 'none' : breaches > 0 ? 'bad' : 'good'}>
                <th scope="row">
                  {title}
                  {first !== null && <small>{first}</small>}
                </th>
                <td>{chances}</td>
                <td>{breaches}</td>
                <td>{points === null ? 'no chance' : `${points.toFixed(1)} of ${of}`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
