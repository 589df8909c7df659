/** A metered item of a usage card. Amounts are USD, exact in the JSON number. */
export interface Meter {
  readonly id: string;
  readonly label: string;
  readonly unit: string;
  readonly unitUsd: number;
  readonly waivedInTrial?: true;
}

export interface Box {
  readonly size: string;
  readonly instanceType: string;
  readonly monthlyUsd: number;
}

/** The prices for accounts created at or after `newSignupsFrom`. */
export interface UsageCard {
  readonly version: string;
  readonly newSignupsFrom: string;
  readonly includedUsd: number;
  readonly trial: { readonly days: number; readonly capUsd: number };
  readonly meters: readonly Meter[];
  readonly boxes: readonly Box[];
  /** Ids of items that are never billed. */
  readonly free: readonly string[];
  readonly domains: { readonly standardUsd: number; readonly premiumUsd: number };
}

export interface SignupOption {
  readonly label: string;
  readonly url: string;
}

export interface LegacyPlan {
  readonly id: string;
  readonly label: string;
  readonly unit: string;
  readonly monthlyUsd: number;
  readonly includes: readonly string[];
  readonly newSignupsUntil: string;
}

export interface LegacyBox extends Box {
  readonly newSignupsUntil: string;
}

/** The body of `GET /v1/pricing`. Fields are added over time and never removed. */
export interface PricingStatement {
  readonly version: string;
  readonly generatedAt: string;
  readonly currency: 'USD';
  readonly usage: UsageCard;
  readonly upcoming: readonly UsageCard[];
  readonly signup: {
    readonly free: SignupOption;
    readonly enterpriseDemo: SignupOption;
    readonly selfHosted: SignupOption;
  };
  readonly plans: readonly LegacyPlan[];
  readonly agentRungs: readonly LegacyBox[];
  readonly addOns: {
    readonly outpost: {
      readonly label: string;
      readonly unit: string;
      readonly monthlyUsd: number;
      readonly newSignupsUntil: string;
    };
    readonly meetingHours: {
      readonly label: string;
      readonly unit: string;
      readonly unitUsd: number;
      readonly includedPerMonth: number;
      readonly newSignupsUntil: string;
    };
  };
  readonly grandfatherRule: {
    readonly id: string;
    readonly appliesTo: { readonly plan: string; readonly createdBefore: string };
    readonly keepsPrice: true;
    readonly until: string | null;
    readonly statement: string;
  };
  readonly billingRules: {
    readonly hostedAgents: { readonly billedPer: 'box'; readonly freeBoxes: number; readonly statement: string };
    readonly includedUsage: {
      readonly appliesTo: readonly string[];
      readonly rollsOver: boolean;
      readonly statement: string;
    };
    readonly trial: {
      readonly endsOn: readonly string[];
      readonly then: string;
      readonly waivedMeters: readonly string[];
      readonly statement: string;
    };
    readonly cancellation: {
      readonly effective: string;
      readonly usageBilledUntil: string;
      readonly refunds: string;
      readonly statement: string;
    };
    readonly rounding: { readonly unit: 'cent'; readonly mode: 'half-even'; readonly per: 'invoice-line' };
  };
  /** Paths of the API. */
  readonly links: {
    readonly self: string;
    readonly schema: string;
    readonly versions: string;
    readonly estimate: string;
  };
}
