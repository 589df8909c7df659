import { Body, Controller, Get, Put } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiOkResponse,
  ApiOperation,
  ApiProperty,
  type ApiPropertyOptions,
  ApiTags,
} from '@nestjs/swagger';
import type { Member } from '@homeport/identity/contracts';
import { CurrentMember, MemberProblems } from '@homeport/identity/server/nest';
import { InvalidRequest, PayloadTooLarge, UnsupportedMediaType } from '@homeport/kernel';
import { ApiProblems } from '@homeport/platform/server/http';
import { type Budget, BudgetRequest } from '@homeport/usage/contracts';
import { Budgets } from '../../application/budgets';

const NOTIFY_AT: ApiPropertyOptions = {
  type: 'array',
  items: { type: 'integer', minimum: 1, maximum: 1_000 },
  maxItems: 10,
  uniqueItems: true,
  description: 'percentages of the budget',
  example: [50, 75, 100],
};

export class BudgetBody implements Budget {
  @ApiProperty({ type: String, nullable: true, description: 'decimal; null without a budget', example: '250' })
  readonly monthly_usd!: string | null;
  @ApiProperty(NOTIFY_AT) readonly notify_at!: readonly number[];
}

export class BudgetRequestBody extends BudgetRequest {
  @ApiProperty({
    oneOf: [{ type: 'number' }, { type: 'string' }, { type: 'null' }],
    description: 'from 0.01 to 999999999.99 with at most 2 decimals; null removes the budget',
    example: 250,
  })
  declare monthly_usd: number | string | null;
  @ApiProperty(NOTIFY_AT) declare notify_at: number[];
}

/** The monthly budget of an organization. */
@ApiTags('Usage')
@ApiBearerAuth()
@MemberProblems()
@Controller('api/budget')
export class BudgetController {
  constructor(private readonly budgets: Budgets) {}

  @Get()
  @ApiOperation({
    operationId: 'getBudget',
    summary: 'Read the budget',
    description: 'A budget does not stop usage. Without one, `monthly_usd` is null.',
  })
  @ApiOkResponse({ type: BudgetBody })
  get(@CurrentMember() member: Member): Promise<Budget> {
    return this.budgets.get(member);
  }

  @Put()
  @ApiOperation({
    operationId: 'setBudget',
    summary: 'Set the budget',
    description:
      'Replaces the budget of the organization, also one that another person has set meanwhile. Only people can set it.',
  })
  @ApiOkResponse({ type: BudgetBody })
  @ApiProblems(
    new InvalidRequest('The request body has invalid fields.'),
    new PayloadTooLarge(),
    new UnsupportedMediaType(),
  )
  set(@CurrentMember() member: Member, @Body() body: BudgetRequestBody): Promise<Budget> {
    return this.budgets.set(member, body);
  }
}
