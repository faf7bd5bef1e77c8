CREATE TABLE "limit_groups" (
	"record_version" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"desired" text COLLATE "C" NOT NULL,
	"revision" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "limit_groups_key" PRIMARY KEY("account_id","name")
);

--> statement-breakpoint
CREATE TABLE "limit_group_inputs" (
	"record_version" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"given" text COLLATE "C" NOT NULL,
	"at" bigint NOT NULL,
	CONSTRAINT "limit_group_inputs_key" PRIMARY KEY("account_id","name","kind")
);

--> statement-breakpoint
CREATE TABLE "limit_shares" (
	"record_version" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"charge_point_id" text COLLATE "C" NOT NULL,
	"evse_id" bigint NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "limit_shares_key" PRIMARY KEY("account_id","charge_point_id","evse_id")
);

--> statement-breakpoint
CREATE TABLE "limit_plans" (
	"record_version" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"root" text COLLATE "C" NOT NULL,
	"revision" bigint NOT NULL,
	"told" text COLLATE "C" NOT NULL,
	"at" bigint NOT NULL,
	CONSTRAINT "limit_plans_key" PRIMARY KEY("account_id","root")
);

--> statement-breakpoint
CREATE TABLE "limit_minutes" (
	"record_version" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"at" bigint NOT NULL,
	"limit_amps" text COLLATE "C" NOT NULL,
	"allowed_amps" text COLLATE "C" NOT NULL,
	"draw_amps" text COLLATE "C" NOT NULL,
	"load_amps" text COLLATE "C",
	"external" text COLLATE "C",
	CONSTRAINT "limit_minutes_key" PRIMARY KEY("account_id","name","at")
);

--> statement-breakpoint
CREATE INDEX "limit_minutes_at" ON "limit_minutes" USING btree ("at");
