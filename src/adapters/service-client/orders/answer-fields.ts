/** The words of a text. */
export const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** What a field of an answer speaks of. */
export type FieldKind = 'word' | 'flag' | 'taken' | 'denial' | 'code' | 'error' | 'text' | 'fills' | 'left' | 'id' | 'echo' | 'side';

/**
 * Fields of an order's answer by what they speak of. The specification shows none (spec 4.4: the response is not shown), so
 * these are the names that interfaces of this kind use; upper case, dashes and underlines do not matter. What stands in no row
 * says nothing about the order.
 */
export const ANSWER_FIELDS: Readonly<Record<FieldKind, readonly string[]>> = {
  /** One word: executed, refused, or something else. */
  word: words(`
    status state orderStatus orderState ordStatus execStatus executionStatus tradeStatus fillStatus fillState tradeState decision
    resultStatus result outcome
  `),
  /** Yes or no to the request as a whole. */
  flag: ['success', 'succeeded', 'successful', 'isSuccess', 'ok', 'isOk', 'executed', 'filled', 'isExecuted', 'isFilled'],
  /** Yes to the request, of whose execution it says nothing. */
  taken: ['accepted', 'isAccepted', 'received', 'acknowledged'],
  /** Yes means no. */
  denial: words('rejected isRejected failed failure isError hasError hasErrors declined denied cancelled canceled expired'),
  /** Zero, or a status of HTTP that means success, is no error. */
  code: words('code statusCode httpStatus resultCode retCode returnCode responseCode errorCode errCode errno rejectCode'),
  /** Filled in, it says what is wrong. */
  error: words(`
    error errors err errorMsg errorMessage errMsg errorText errorDescription exception problem fault reason rejectReason
    rejectionReason cancelReason failureReason
  `),
  /** Free text: only a word of refusal in it counts. */
  text: ['message', 'msg', 'retMsg', 'resultMsg', 'description', 'detail', 'details', 'title', 'info', 'note'],
  /** What was executed, part by part: without a part nothing was. */
  fills: ['trades', 'fills', 'executions', 'deals', 'legs'],
  /** What is still to be executed. */
  left: words(`
    leavesQty leavesQuantity remaining remainingSize remainingQty remainingQuantity remainingAmount openQty unfilled unfilledSize
    unfilledQty
  `),
  /** The service has an order. */
  id: words(`
    orderId id orderNo orderNumber orderRef orderUuid orderReference tradeId executionId execId fillId dealId transactionId uuid
  `),
  /** Echoes of the request: another one's answer is none to this order. */
  echo: ['quoteId', 'productCode', 'baseCcy', 'quoteCcy'],
  side: ['side', 'orderSide', 'direction'],
};

/** Fields under which the order itself may stand; what stands deeper or elsewhere can only speak against it. */
export const ORDER_INSIDE: readonly string[] = [
  'data',
  'order',
  'result',
  'response',
  'payload',
  'body',
  'content',
  'trade',
  'execution',
  'fill',
  'deal',
  'transaction',
];

/** Fields round the order: what stands there can only speak against it, a code included. */
export const ROUND_IT: readonly string[] = ['meta', 'header', 'head', 'status', 'state', 'orderStatus'].map((name) => name.toLowerCase());

/** Under a status that is an object: the fields that hold its word. */
export const WORD_INSIDE: readonly string[] = ['value', 'name', 'text', 'label', 'key'];

/** Words of a success that is only begun: an answer of 202 needs more than these. */
export const BEGUN_WORDS: readonly string[] = ['ACCEPTED', 'OK', 'SUCCESS', 'SUCCEEDED', 'CREATED', 'CONFIRMED'];

/** Words of an order that was executed in part: its figures say how much. */
export const PARTIAL_WORDS: readonly string[] = [
  'PARTIAL',
  'PARTIALLY_FILLED',
  'PARTIALLY_EXECUTED',
  'PARTIAL_FILL',
  'PARTIALLY_FILLED_CANCELED',
];

/** Words of refusal, wherever they stand. */
export const REFUSAL =
  /reject|fail|error|denied|declin|invalid|insufficient|expire|cancel|refus|unable|cannot|can't|could not|not (?:be )?(?:executed|filled|placed|accepted|found|allowed|permitted|possible|available)|no longer|too late|timed? ?out|unauthori[sz]ed|forbidden|unavailable|exception|wrong/i;

/** Words of an order that is still to be executed, or will not be. */
export const WAITS =
  /\b(?:pending|queued|waiting|awaiting|in progress|being processed|will be (?:executed|filled|processed|placed|submitted|sent|traded)|not enough|too (?:little|low|small|large|high)|(?:market|session|exchange|venue|trading|already) (?:(?:is|was) )?(?:already |currently |now )?closed|stale|halted|suspended)\b/i;

/** Said of a success: that there was nothing of the kind. */
export const NO_TROUBLE = /\b(?:no|0|zero|without|without any) (?:errors?|failures?|rejections?|exceptions?)\b/gi;

/** A field of JSON without a value: whatever it is called, nothing of the kind was there. */
export const VOID_FIELD = /"[\w .$-]{1,64}"\s*:\s*(?:null|false|0|""|\[\s*\]|\{\s*\})(?=\s*[,}\]])/g;

/** Fields whose texts repeat how an order is to be handled, in words that would be a refusal elsewhere. */
export const HANDLING: readonly string[] = ['timeInForce', 'tif', 'selfTradePrevention', 'selfTradePreventionMode', 'stpMode', 'stp'];

/** A field's name or a word without case and separators. */
export const bare = (text: string): string => text.replace(/[^A-Za-z0-9]/g, '').toLowerCase();

/** What each name speaks of, by its bare form. */
export const KIND_OF: ReadonlyMap<string, FieldKind> = new Map(
  (Object.keys(ANSWER_FIELDS) as FieldKind[]).flatMap((kind) => ANSWER_FIELDS[kind].map((name): [string, FieldKind] => [bare(name), kind])),
);
