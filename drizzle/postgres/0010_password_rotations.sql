CREATE TABLE "password_changes" (
	"record_version" bigint NOT NULL,
	"charge_point_id" text COLLATE "C" NOT NULL,
	"rotation_id" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"reason" text COLLATE "C",
	"password" text COLLATE "C",
	"hash" text COLLATE "C" NOT NULL,
	"attempts" bigint NOT NULL,
	"proof_by" bigint,
	"due_at" bigint,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "password_changes_key" PRIMARY KEY("charge_point_id","rotation_id")
);

--> statement-breakpoint
CREATE TABLE "password_rotations" (
	"record_version" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"selector" text COLLATE "C" NOT NULL,
	"chosen" text COLLATE "C",
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "password_rotations_key" PRIMARY KEY("account_id","id")
);

--> statement-breakpoint
CREATE INDEX "password_changes_rotation_id_state" ON "password_changes" USING btree ("rotation_id","state");
--> statement-breakpoint
CREATE INDEX "password_changes_due_at" ON "password_changes" USING btree ("due_at");
--> statement-breakpoint
CREATE INDEX "password_rotations_state" ON "password_rotations" USING btree ("state");
--> statement-breakpoint
CREATE INDEX "password_rotations_account_id_state" ON "password_rotations" USING btree ("account_id","state");
