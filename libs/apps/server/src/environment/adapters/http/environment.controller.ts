import { Body, Controller, Delete, Get, HttpCode, Param, Put } from '@nestjs/common';
import { ApiBearerAuth, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import {
  type EnvironmentVariable,
  type EnvironmentVariableList,
  MAX_ENVIRONMENT_BYTES,
  MAX_VARIABLES,
} from '@homeport/apps/contracts';
import { CurrentMember, MemberProblems } from '@homeport/identity/server/nest';
import type { Member } from '@homeport/identity/contracts';
import { InvalidRequest } from '@homeport/kernel';
import { ApiProblems } from '@homeport/platform/server/http';
import { AppNotFound } from '../../../registry/domain/apps.errors';
import { EnvironmentEditor } from '../../application/environment-editor';
import { SecretsOff } from '../../domain/environment.errors';
import { EnvironmentVariableBody, EnvironmentVariableListBody, SetVariableBody } from './environment.dto';

const NAME = {
  name: 'name',
  description: 'The name of the variable',
  schema: { type: 'string', pattern: '^[A-Z_][A-Z0-9_]{0,127}$', example: 'DATABASE_URL' },
};
const ID = { name: 'id', schema: { type: 'string', format: 'uuid' } };

/** The variables of the servers of an app. */
@ApiTags('Environment')
@ApiBearerAuth()
@MemberProblems()
@Controller('api/apps/:id/environment')
export class EnvironmentController {
  constructor(private readonly environment: EnvironmentEditor) {}

  @Get()
  @ApiOperation({
    operationId: 'listVariables',
    summary: 'List the variables of an app',
    description: 'Returns the variables sorted by name, never with their values.',
  })
  @ApiOkResponse({ type: EnvironmentVariableListBody })
  @ApiProblems(new AppNotFound())
  list(@CurrentMember() member: Member, @Param('id') id: string): Promise<EnvironmentVariableList> {
    return this.environment.list(member, id);
  }

  @Put(':name')
  @ApiOperation({
    operationId: 'setVariable',
    summary: 'Set a variable of an app',
    description:
      'Stores the value encrypted and restarts the servers of the app, one after the other. `PORT`, `HOST`, ' +
      '`NODE_OPTIONS`, `LD_*` and `HOMEPORT_*` are reserved. An app can have ' +
      `${MAX_VARIABLES} variables with ${MAX_ENVIRONMENT_BYTES / 1024} KiB in all.`,
  })
  @ApiParam(ID)
  @ApiParam(NAME)
  @ApiOkResponse({ type: EnvironmentVariableBody })
  @ApiProblems(new InvalidRequest(''), new AppNotFound(), new SecretsOff())
  set(
    @CurrentMember() member: Member,
    @Param() { id, name }: { readonly id: string; readonly name: string },
    @Body() body: SetVariableBody,
  ): Promise<EnvironmentVariable> {
    return this.environment.set(member, id, name, body);
  }

  @Delete(':name')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'deleteVariable',
    summary: 'Delete a variable of an app',
    description: 'Restarts the servers of the app. Succeeds if there is no such variable.',
  })
  @ApiParam(ID)
  @ApiParam(NAME)
  @ApiNoContentResponse()
  @ApiProblems(new AppNotFound())
  remove(
    @CurrentMember() member: Member,
    @Param() { id, name }: { readonly id: string; readonly name: string },
  ): Promise<void> {
    return this.environment.remove(member, id, name);
  }
}
