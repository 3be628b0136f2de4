/** The root of the service of assets, tools, calls and audit. It has no operations yet. */
import { Module } from '@nestjs/common';

@Module({})
export class ToolGatewayModule {}
