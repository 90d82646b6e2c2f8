import type { WhoWhy } from '#domain/who-why.ts';
import { ENDPOINTS } from '#server/control/endpoints.ts';
import type { OpsTarget } from '#server/control/target.ts';

/** A daemon that does nothing but hear of acts. It answers as a test gives it, or with nothing. */
export class OpsDouble {
  /** The acts that were not refused, each with what was asked. */
  readonly heard: (readonly [act: string, asked: WhoWhy])[] = [];
  readonly target: OpsTarget;

  constructor(answers: Partial<OpsTarget> = {}) {
    const known = { state: () => ({ halted: false }), whyNot: () => ({ answers: [] }), notReady: () => [], ...answers };
    this.target = new Proxy({} as OpsTarget, {
      get: (_none, name) => (asked: WhoWhy) => {
        const answer: unknown = Reflect.get(known, name)?.(asked);
        if (!(name in ENDPOINTS)) return answer;
        this.heard.push([String(name), asked]);
        return answer ?? {};
      },
    });
  }
}
