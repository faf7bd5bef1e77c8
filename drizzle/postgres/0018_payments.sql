CREATE TABLE "payments" (
	"record_version" bigint NOT NULL,
	"charge_point_id" text COLLATE "C" NOT NULL,
	"psp_ref" text COLLATE "C" NOT NULL,
	"codes" text COLLATE "C" NOT NULL,
	"session_id" text COLLATE "C",
	"status" text COLLATE "C",
	"created_at" bigint NOT NULL,
	CONSTRAINT "payments_key" PRIMARY KEY("charge_point_id","psp_ref")
);

