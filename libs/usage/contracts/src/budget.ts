import { ArrayMaxSize, ArrayUnique, IsArray, IsInt, Max, Min, registerDecorator, ValidateIf } from 'class-validator';

const USD = /^\d{1,9}(\.\d{1,2})?$/;

/** `GET /api/budget`: the monthly budget of an organization. It never stops usage. */
export interface Budget {
  /** A decimal string; null without a budget. */
  readonly monthly_usd: string | null;
  /** Percentages of the budget at which people are notified, in ascending order. */
  readonly notify_at: readonly number[];
}

/** The body of `PUT /api/budget`. */
export class BudgetRequest {
  /** From 0.01 to 999999999.99 with at most 2 decimals; null removes the budget. */
  @ValidateIf((_, value) => value !== null)
  @IsUsdAmount()
  monthly_usd!: number | string | null;

  @IsArray()
  @ArrayMaxSize(10)
  @ArrayUnique()
  @IsInt({ each: true })
  @Min(1, { each: true })
  @Max(1_000, { each: true })
  notify_at!: number[];
}

function IsUsdAmount(): PropertyDecorator {
  return (target, property) =>
    registerDecorator({
      name: 'isUsdAmount',
      target: target.constructor,
      propertyName: String(property),
      validator: {
        validate: (value: unknown) =>
          (typeof value === 'number' || typeof value === 'string') && USD.test(String(value)) && Number(value) > 0,
        defaultMessage: () => 'monthly_usd must be null or from 0.01 to 999999999.99, with at most 2 decimals',
      },
    });
}
