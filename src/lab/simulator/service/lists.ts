import { currencyIn, productIn } from '#paper-venue/dialect/codes.ts';
import type { Answers } from './answers.ts';
import type { WireAnswer, WireRequest } from './http-text.ts';
import { PRODUCTS, RAISED, type ServedProduct } from './products.ts';
import type { Scene } from './scene.ts';

/** The service's answers to requests other than orders. */
export function listed(scene: Scene, answers: Answers, { method, path }: WireRequest): WireAnswer {
  if (method !== 'GET' || !path.startsWith('/mms/v2/productDetails'))
    return answers.refused({ status: 404, code: 'NOT_FOUND', text: 'nothing is here' });
  const { dialect, troubles, plan } = scene;
  const changed = troubles.on('F19');
  if (changed) troubles.struck('F19', 'the list of products is another');
  const [first] = plan.products;
  const isAway = ({ code }: ServedProduct) => changed !== undefined && code === first && changed.trouble.figure < 0.5;
  const records = PRODUCTS.filter((one) => !isAway(one)).map((one) => {
    const isCoarse = changed !== undefined && one.code === first;
    const isRaised = isCoarse && changed.trouble.figure >= 0.75;
    const limit = (value: number) => (dialect.limits === 'text-limits' ? String(value) : value);
    return {
      productCode: productIn(dialect, one.code),
      baseCcy: currencyIn(dialect, one.baseCcy),
      quoteCcy: currencyIn(dialect, one.quoteCcy),
      minSize: limit(one.minSize * (isRaised ? RAISED : 1)),
      minNotionalValue: limit(one.minNotionalValue * (isCoarse ? 2 : 1)),
      sizeIncrement: limit(10 ** -one.sizePlaces * (isCoarse ? 10 : 1)),
      priceIncrement: limit(10 ** -one.pricePlaces),
    };
  });
  return answers.json(dialect.productList === 'product-list-in-data' ? { data: records } : records);
}
