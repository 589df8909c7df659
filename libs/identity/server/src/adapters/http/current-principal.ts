import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { OrganizationRequired } from '../../domain/identity.errors';
import { isMember, type Member, type Principal } from '../../domain/principal';

/** The person behind the verified token of this request. */
export const CurrentPrincipal = createParamDecorator((_: unknown, context: ExecutionContext) => principalIn(context));

/** The same, for routes that are open to members alone. Raises OrganizationRequired where the policy let others in. */
export const CurrentMember = createParamDecorator((_: unknown, context: ExecutionContext): Member => {
  const principal = principalIn(context);
  if (!isMember(principal)) throw new OrganizationRequired();
  return principal;
});

function principalIn(context: ExecutionContext): Principal {
  return context.switchToHttp().getRequest<{ user: Principal }>().user;
}
