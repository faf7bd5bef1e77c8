CREATE TABLE "identities" (
	"issuer" text COLLATE "C" NOT NULL,
	"subject" text COLLATE "C" NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "identities_key" PRIMARY KEY("issuer","subject")
);

--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "break_glass" bigint;
--> statement-breakpoint
ALTER TABLE "identities" ADD CONSTRAINT "identities_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE UNIQUE INDEX "identities_user" ON "identities" USING btree ("user_id","issuer");
