import type { ProductCode } from '#domain/names.ts';
import type { Product } from '#domain/product.ts';

/** A product's code as the service itself writes it: what a request to it carries. */
export function wireCode({ code, spelled }: Pick<Product, 'code' | 'spelled'>): string {
  return spelled ?? code;
}

/** How the service writes the codes of the products that it lists; one that it does not list is written as it is known here. */
export class Spelling {
  private readonly known = new Map<string, string>();

  learn(products: readonly Pick<Product, 'code' | 'spelled'>[]): void {
    for (const product of products) this.known.set(product.code, wireCode(product));
  }

  of(product: ProductCode): string {
    return this.known.get(product) ?? product;
  }
}

/** The products of one list, each once. One that stands there twice with other limits is told of and left out: nobody can say which holds. */
export function eachOnce(products: readonly Product[], onRefused: (what: string, why: string) => void): Product[] {
  const once = new Map<ProductCode, Product | null>();
  for (const product of products) {
    const before = once.get(product.code);
    if (before === undefined) once.set(product.code, product);
    else if (before !== null && !isSame(before, product)) {
      once.set(product.code, null);
      onRefused(
        `product ${wireCode(product)}`,
        `the list contains it twice, also as ${wireCode(before)}, with other limits or in another spelling`,
      );
    }
  }
  return [...once.values()].filter((product) => product !== null);
}

function isSame(one: Product, other: Product): boolean {
  const limits = ['minSize', 'minNotionalValue', 'sizeIncrement', 'priceIncrement'] as const;
  return wireCode(one) === wireCode(other) && limits.every((name) => one[name].eq(other[name]));
}
